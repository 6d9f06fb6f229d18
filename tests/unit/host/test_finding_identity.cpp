// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a finding of another order is one that is known.
#include <gtest/gtest.h>

#include <cstdio>
#include <initializer_list>

#include "findings/finding_filter.hpp"

namespace warpz {
namespace {

constexpr std::uint64_t base = 0x400000;

symbolized_finding finding(std::initializer_list<std::uint64_t> places, std::uint64_t module_base = base) {
  symbolized_finding result{.record = {}, .module_base = module_base, .schedule = 7};
  result.record.group_count = static_cast<std::uint32_t>(places.size());
  std::uint32_t group = 0;
  for (const std::uint64_t place : places) result.record.groups[group++].code = module_base + place;
  return result;
}

std::size_t count(std::initializer_list<symbolized_finding> found) {
  std::vector<symbolized_finding> all;
  for (const symbolized_finding& each : found) add_unless_known(all, each);
  return all.size();
}

TEST(finding_identity, of_the_same_places_are_one) {
  EXPECT_EQ(count({finding({8, 24}), finding({8, 24})}), 1u);
  EXPECT_EQ(count({finding({8, 24}), finding({8, 32})}), 2u);
  EXPECT_EQ(count({finding({8}), finding({24})}), 2u);
}

TEST(finding_identity, two_parties_may_come_in_either_order) {
  EXPECT_EQ(count({finding({8, 24}), finding({24, 8})}), 1u);
}

TEST(finding_identity, more_parties_make_another) { EXPECT_EQ(count({finding({8}), finding({8, 24})}), 2u); }

TEST(finding_identity, where_the_code_was_loaded_makes_no_difference) {
  EXPECT_EQ(count({finding({8, 24}), finding({8, 24}, base + 4096)}), 1u);
}

TEST(finding_identity, kind_memory_and_argument_make_one) {
  symbolized_finding other = finding({8});
  other.record.kind = WARPZ_DATA_RACE;
  EXPECT_EQ(count({finding({8}), other}), 2u);
  other = finding({8});
  other.record.argument = 3;
  EXPECT_EQ(count({finding({8}), other}), 2u);
}

// Only of one without lanes: with them, the memory may come from anywhere.
TEST(finding_identity, who_allocated_tells_apart_what_no_lane_is_part_of) {
  for (const bool has_lanes : {false, true}) {
    symbolized_finding one = has_lanes ? finding({8}) : finding({}), other = one;
    one.record.allocated_at[0] = base + 100;
    other.record.allocated_at[0] = base + 200;
    EXPECT_EQ(count({one, other}), has_lanes ? 1u : 2u);
    other.record.allocated_at[0] = base - 100;  // outside the module
    EXPECT_EQ(count({one, other}), has_lanes ? 1u : 2u);
    other.record.allocated_at[0] = base + 100;
    one.record.allocated_at[1] = base - 100;
    other.record.allocated_at[1] = base - 200;
    EXPECT_EQ(count({one, other}), 1u) << "both come from outside the module";
  }
}

symbolized_finding waiting_at(const char* operation, const char* file, std::uint32_t line) {
  symbolized_finding result = finding({0});
  warpz_lane_group& group = result.record.groups[0];
  group.code = 0;
  std::snprintf(group.place.operation, sizeof group.place.operation, "%s", operation);
  std::snprintf(group.place.file, sizeof group.place.file, "%s", file);
  group.place.line = line;
  return result;
}

TEST(finding_identity, calls_are_one_by_operation_file_and_line) {
  const symbolized_finding one = waiting_at("__shfl", "a.hip", 7);
  EXPECT_EQ(count({one, waiting_at("__shfl", "a.hip", 7)}), 1u);
  EXPECT_EQ(count({one, waiting_at("__ballot", "a.hip", 7)}), 2u);
  EXPECT_EQ(count({one, waiting_at("__shfl", "b.hip", 7)}), 2u);
  EXPECT_EQ(count({one, waiting_at("__shfl", "a.hip", 8)}), 2u);
  EXPECT_EQ(count({waiting_at("bc", "a", 7), waiting_at("c", "ab", 7)}), 2u);
}

TEST(finding_identity, of_other_orders_there_are_only_so_many) {
  std::vector<symbolized_finding> all;
  for (std::uint64_t i = 0; i < 100; ++i) add_unless_known(all, finding({8 * i}));
  EXPECT_EQ(all.size(), 32u);
}

}  // namespace
}  // namespace warpz
