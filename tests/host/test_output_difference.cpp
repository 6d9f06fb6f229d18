// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which line is told to differ between two runs, and which are known to differ anyway.
#include "run/output_difference.hpp"

#include <gtest/gtest.h>

namespace {

using namespace warpz;

std::optional<different_line> between(std::string_view first, std::string_view second) {
  return difference(first, second, first);
}

TEST(output_difference, the_first_line) {
  EXPECT_EQ(between("", ""), std::nullopt);
  EXPECT_EQ(between("a\nb\n", "a\nb\n"), std::nullopt);
  EXPECT_EQ(between("a\nb\nc\n", "a\nx\ny\n"), (different_line{2, "b", "x"}));
  EXPECT_EQ(between("a\n", "a\n\n"), (different_line{2, std::nullopt, ""}));
  EXPECT_EQ(between("a\nb", "a\n"), (different_line{2, "b", std::nullopt}));
}

TEST(output_difference, lines_that_are_never_the_same_do_not_count) {
  EXPECT_EQ(difference("at 1\nsum 4\n", "at 2\nsum 4\n", "at 3\nsum 4\n"), std::nullopt);
  EXPECT_EQ(difference("at 1\nsum 4\n", "at 2\nsum 5\n", "at 3\nsum 4\n"), (different_line{2, "sum 4", "sum 5"}));
  EXPECT_EQ(difference("a\n", "a\nb\n", "a\nc\n"), std::nullopt);
}

}  // namespace
