// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The quick answers about an address: which region holds it, and whether accesses to its page need no check.
#include <gtest/gtest.h>

#include "simt/check/shadow.hpp"

namespace region_table_answers {

using simt::check::region;
using simt::check::region_table;

constexpr std::uintptr_t page = std::uintptr_t{1} << simt::check::page_bits;
constexpr std::uintptr_t begin = 1000 * page + 256;

region region_of(std::uintptr_t bytes) {
  region memory{};
  memory.begin = memory.span_begin = begin;
  memory.bytes = bytes;
  memory.span_end = begin + bytes;
  return memory;
}

TEST(region_table, only_whole_words_within_a_region_have_a_holder) {
  region_table table;
  table.set_block_region(0, region_of(64));
  ASSERT_NE(table.find(begin), nullptr);
  EXPECT_EQ(table.holder(begin, 4), table.find(begin));
  EXPECT_EQ(table.holder(begin + 60, 4), table.find(begin));
  EXPECT_EQ(table.holder(begin + 61, 4), nullptr);
  EXPECT_EQ(table.holder(begin - 4, 4), nullptr);
}

TEST(region_table, a_region_holds_an_access_that_begins_and_ends_in_it) {
  const region memory = region_of(64);
  EXPECT_TRUE(memory.holds(begin, 64));
  EXPECT_TRUE(memory.holds(begin + 60, 4));
  EXPECT_FALSE(memory.holds(begin + 60, 5));
  EXPECT_FALSE(memory.holds(begin + 64, 1));
  EXPECT_FALSE(memory.holds(begin - 1, 4));
}

TEST(region_table, a_page_that_a_region_shares_is_checked) {
  region_table table;
  table.set_block_region(0, region_of(64));
  const std::uintptr_t beside = begin + 1024, elsewhere = begin + 10 * page;
  for (const std::uintptr_t outside : {beside, elsewhere}) {
    ASSERT_EQ(table.find(outside), nullptr);
    EXPECT_FALSE(table.is_unchecked(outside));
    table.mark_unchecked(outside);
  }
  EXPECT_FALSE(table.is_unchecked(beside));
  EXPECT_FALSE(table.is_unchecked(begin));
  EXPECT_TRUE(table.is_unchecked(elsewhere));
  table.set_block_region(1, region_of(32));
  EXPECT_FALSE(table.is_unchecked(elsewhere)) << "there are other regions now";
}

}  // namespace region_table_answers
