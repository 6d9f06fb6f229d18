// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which line is told to differ between two runs, and which are known to differ anyway.
#include "run/experiments/output_difference.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace {

using namespace warpz;

using outputs = std::vector<std::string>;

std::optional<different_line> between(std::string first, std::string second) {
  return difference(outputs{std::move(first)}, outputs{std::move(second)});
}

TEST(output_difference, the_first_line) {
  EXPECT_EQ(between("", ""), std::nullopt);
  EXPECT_EQ(between("a\nb\n", "a\nb\n"), std::nullopt);
  EXPECT_EQ(between("a\nb\nc\n", "a\nx\ny\n"), (different_line{2, "b", "x"}));
  EXPECT_EQ(between("a\n", "a\n\n"), (different_line{2, std::nullopt, ""}));
  EXPECT_EQ(between("a\nb", "a\n"), (different_line{2, "b", std::nullopt}));
}

TEST(output_difference, lines_that_are_never_the_same_do_not_count) {
  const outputs first{"at 1\nsum 4\n", "at 3\nsum 4\n"};
  EXPECT_EQ(difference(first, {"at 2\nsum 4\n"}), std::nullopt);
  EXPECT_EQ(difference(first, {"at 2\nsum 5\n"}), (different_line{2, "sum 4", "sum 5"}));
  EXPECT_EQ(difference({"at 2\nsum 5\n"}, first), (different_line{2, "sum 5", "sum 4"}));
  EXPECT_EQ(difference({"a\n", "a\nc\n"}, {"a\nb\n"}), std::nullopt);
  EXPECT_EQ(difference({"a\n", "a\nc\n"}, {"b\n"}), (different_line{1, "a", "b"}));
}

}  // namespace
