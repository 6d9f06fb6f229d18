// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands with puzzles that are for one warp size.
#include "cli/puzzle_warp_sizes.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "report_support.hpp"

namespace puzzle_warp_sizes {

using namespace warpz;
using namespace report_support;

constexpr puzzle any{.number = 901, .flag = "any"}, any_too{.number = 902, .flag = "any-too"};
constexpr puzzle narrow{.number = 903, .flag = "narrow", .only_warp_size = 32};
constexpr puzzle wide{.number = 904, .flag = "wide", .only_warp_size = 64};

using part = std::pair<std::optional<unsigned>, std::vector<const puzzle*>>;

std::vector<part> parts_of(const options& command) {
  std::vector<part> parts;
  for (const options& each : by_warp_size(command)) parts.emplace_back(each.warp_size, each.puzzles);
  return parts;
}

TEST(puzzle_warp_sizes, one_command_where_all_are_for_any) {
  EXPECT_EQ(parts_of({.puzzles = {&any, &any_too}}), (std::vector<part>{{std::nullopt, {&any, &any_too}}}));
  EXPECT_EQ(parts_of({.puzzles = {&any, &wide, &any_too}, .warp_size = 64}),
            (std::vector<part>{{64, {&any, &wide, &any_too}}}));
  const std::vector<options> both = by_warp_size({.puzzles = {&any}, .both_warp_sizes = true});
  ASSERT_EQ(both.size(), 1u);
  EXPECT_TRUE(both.front().both_warp_sizes);
}

TEST(puzzle_warp_sizes, each_runs_with_its_own_in_the_order_given) {
  EXPECT_EQ(parts_of({.puzzles = {&any, &wide, &narrow, &any_too}}),
            (std::vector<part>{{std::nullopt, {&any}}, {64, {&wide}}, {32, {&narrow}}, {std::nullopt, {&any_too}}}));
}

TEST(puzzle_warp_sizes, another_one_is_refused_or_left_out_of_all) {
  EXPECT_EQ(failure([] {
              by_warp_size({.puzzles = {&any, &narrow}, .warp_size = 64});
            }),
            "--narrow is for warps of 32 lanes, and --warp-size 64 asks for others");
  EXPECT_EQ(failure([] { by_warp_size({.puzzles = {&wide}, .both_warp_sizes = true}); }),
            "--wide is for warps of 64 lanes, and --warp-size both asks for others");
  EXPECT_EQ(parts_of({.puzzles = {&any, &narrow, &wide}, .all = true, .warp_size = 64}),
            (std::vector<part>{{64, {&any, &wide}}}));
}

}  // namespace puzzle_warp_sizes
