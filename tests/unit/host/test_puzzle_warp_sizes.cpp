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

puzzle created(int number, const char* flag, unsigned only_warp_size = 0) {
  puzzle result{};
  result.number = number;
  result.flag = flag;
  result.only_warp_size = only_warp_size;
  return result;
}

const puzzle any = created(901, "any"), any_too = created(902, "any-too");
const puzzle narrow = created(903, "narrow", 32), wide = created(904, "wide", 64);

options asking(std::vector<const puzzle*> puzzles, std::optional<unsigned> warp_size = {}) {
  options command;
  command.puzzles = std::move(puzzles);
  command.device.warp_size = warp_size;
  return command;
}

options asking_for_both(std::vector<const puzzle*> puzzles) {
  options command = asking(std::move(puzzles));
  command.device.both_warp_sizes = true;
  return command;
}

using part = std::pair<std::optional<unsigned>, std::vector<const puzzle*>>;

std::vector<part> parts_of(const options& command) {
  std::vector<part> parts;
  for (const options& each : by_warp_size(command)) parts.emplace_back(each.device.warp_size, each.puzzles);
  return parts;
}

TEST(puzzle_warp_sizes, one_command_where_all_are_for_any) {
  EXPECT_EQ(parts_of(asking({&any, &any_too})), (std::vector<part>{{std::nullopt, {&any, &any_too}}}));
  EXPECT_EQ(parts_of(asking({&any, &wide, &any_too}, 64)), (std::vector<part>{{64, {&any, &wide, &any_too}}}));
  const std::vector<options> both = by_warp_size(asking_for_both({&any}));
  ASSERT_EQ(both.size(), 1u);
  EXPECT_TRUE(both.front().device.both_warp_sizes);
}

TEST(puzzle_warp_sizes, each_runs_with_its_own_in_the_order_given) {
  EXPECT_EQ(parts_of(asking({&any, &wide, &narrow, &any_too})),
            (std::vector<part>{{std::nullopt, {&any}}, {64, {&wide}}, {32, {&narrow}}, {std::nullopt, {&any_too}}}));
}

TEST(puzzle_warp_sizes, another_one_is_refused_or_left_out_of_all) {
  EXPECT_EQ(failure([] {
              by_warp_size(asking({&any, &narrow}, 64));
            }),
            "--narrow needs warps of 32 lanes; --warp-size asks for 64");
  EXPECT_EQ(failure([] { by_warp_size(asking_for_both({&wide})); }),
            "--wide needs warps of 64 lanes; --warp-size asks for both");
  options all = asking({&any, &narrow, &wide}, 64);
  all.all = true;
  EXPECT_EQ(parts_of(all), (std::vector<part>{{64, {&any, &wide}}}));
}

}  // namespace puzzle_warp_sizes
