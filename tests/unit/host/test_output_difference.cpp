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

TEST(output_difference, what_the_machine_says_of_itself) {
  const outputs first{"on CPU, 32 lanes (some, 32 lanes)\ngfx1100 gfx1100\n32\n"};
  const outputs second{"on CPU, 64 lanes (some, 32 lanes)\ngfx90a gfx90a\n64\n"};
  EXPECT_EQ(difference(first, second)->number, 1);
  EXPECT_EQ(difference_but_for_device(first, second), (different_line{3, "32", "64"}));
  EXPECT_EQ(difference_but_for_device({"CPU, 32 lanes: 1\n"}, {"CPU, 64 lanes: 2\n"}),
            (different_line{1, "CPU, 32 lanes: 1", "CPU, 64 lanes: 2"}));
  const auto are_alike = [](const char* one, const char* other) {
    return !difference_but_for_device({one}, {other}).has_value();
  };
  EXPECT_TRUE(are_alike("gfx1100:a", "gfx90a:a"));
  EXPECT_TRUE(are_alike("Warp size in threads - 32", "Warp size in threads - 64"));
  EXPECT_TRUE(are_alike("warpSize=32", "warpSize=64"));
  EXPECT_TRUE(are_alike("wavefront_size: 32, 7", "wavefront_size: 64, 7"));
  EXPECT_TRUE(are_alike(" System major 11", " System major 9"));
  EXPECT_TRUE(are_alike("capability 11.0", "capability 9.0"));
  // Other numbers may be results.
  EXPECT_FALSE(are_alike("sum 32", "sum 64"));
  EXPECT_FALSE(are_alike("warp size 64", "warp size 32"));
  EXPECT_FALSE(are_alike("warp size 32, sum 32", "warp size 64, sum 65"));
  EXPECT_FALSE(are_alike("warp size 32", "warp size 64 "));
  EXPECT_FALSE(are_alike("major 9", "major 11"));
  EXPECT_FALSE(are_alike("11", "9"));
  EXPECT_EQ(difference_but_for_device({"a\n"}, {""}), (different_line{1, "a", std::nullopt}));
}

}  // namespace
