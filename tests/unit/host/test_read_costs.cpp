// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record comes from memory that a kernel may have written over.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "counters/read_costs.hpp"
#include "counters/text.hpp"
#include "counters/totals.hpp"

namespace warpz {
namespace {

class ReadCosts : public testing::Test {
 protected:
  warpz_cost& add(const char* file, unsigned line, warpz_cost_kind kind, bool is_shared) {
    warpz_cost& row = record->rows[record->row_count++];
    std::strncpy(row.place.file, file, sizeof row.place.file);
    row.place.line = line;
    row.kind = kind;
    row.is_shared = is_shared ? 1 : 0;
    row.instructions = 1;
    return row;
  }

  void add_kernel(const char* name) { std::strcpy(record->kernels[record->kernel_count++].name, name); }

  const std::unique_ptr<warpz_cost_record> record = std::make_unique<warpz_cost_record>();
};

TEST_F(ReadCosts, JoinsRowsOfOneLineAndKeepsTheWorst) {
  add_kernel("mine");
  warpz_cost& good = add("a.hip", 3, WARPZ_COST_LOAD, true);
  good.needed = good.fewest = good.worst_needed = good.worst_fewest = 4;
  warpz_cost& bad = add("a.hip", 3, WARPZ_COST_LOAD, true);
  bad.needed = bad.worst_needed = 32;
  bad.fewest = bad.worst_fewest = 1;
  bad.worst_stride = 128;
  add("a.hip", 2, WARPZ_COST_STORE, true);
  add("a.hip", 3, WARPZ_COST_LOAD, false);
  const run_costs costs = read_costs(*record, {}, 32);
  ASSERT_EQ(costs.kernels.size(), 1U);
  const std::vector<line_cost>& lines = costs.kernels[0].lines;
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].line, 2U);
  EXPECT_FALSE(lines[1].is_shared);
  EXPECT_EQ(lines[2].needed, 36U);
  EXPECT_EQ(lines[2].fewest, 5U);
  EXPECT_EQ(lines[2].instructions, 2U);
  EXPECT_EQ(lines[2].worst.needed, 32U);
  EXPECT_EQ(lines[2].worst.stride, 128);
  EXPECT_EQ(total_of(costs.kernels[0]).shared.passes, 36U);
}

TEST_F(ReadCosts, LeavesOutWhatMakesNoSense) {
  add_kernel("mine");
  add("a.hip", 1, WARPZ_COST_LOAD, false).kernel = 1;
  add("a.hip", 2, static_cast<warpz_cost_kind>(0), false);
  add("a.hip", 3, static_cast<warpz_cost_kind>(6), false);
  add("a.hip", 4, WARPZ_COST_LOAD, false).instructions = 0;
  EXPECT_TRUE(read_costs(*record, {}, 32).kernels.at(0).lines.empty());
}

TEST_F(ReadCosts, BoundsCountsAndStrings) {
  std::memset(record.get(), 0xff, sizeof *record);
  const run_costs costs = read_costs(*record, {}, 64);
  EXPECT_EQ(costs.kernels.size(), std::size_t{WARPZ_MAX_COST_KERNELS});
  EXPECT_LE(costs.kernels[0].kernel.size(), 4 * sizeof record->kernels[0].name);
  EXPECT_FALSE(costs_text(costs).empty());
}

TEST_F(ReadCosts, PutsAnyNumberIntoWords) {
  add_kernel("mine");
  warpz_cost& row = add("a.hip", 1, WARPZ_COST_LOAD, true);
  row.worst_needed = ~0U;
  row.worst_fewest = 1U << 31;
  row.worst_stride = INT64_MIN;
  EXPECT_NE(costs_text(read_costs(*record, {}, 32)).find("a.hip:1"), std::string::npos);
}

}  // namespace
}  // namespace warpz
