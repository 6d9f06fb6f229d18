// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast answers about an address: which region holds it, and whether accesses to its page need no check. The shadow
// of a region's bytes.
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

using simt::check::access_stamp;

TEST(region_shadow, marks_the_bytes_between_variables_and_keeps_the_marks) {
  const std::vector<simt::check::gap> gaps{{2, 5}, {10, 11}};
  region memory = region_of(12);
  ++memory.begin;  // within a word
  memory.gaps = &gaps;
  ASSERT_TRUE(make_shadow(memory));
  for (const bool is_cleared : {false, true}) {
    if (is_cleared) clear_shadow(memory);
    for (unsigned offset = 0; offset < 12; ++offset) {
      const bool is_gap = (offset >= 2 && offset < 5) || offset == 10;
      EXPECT_EQ(memory.last_write(memory.begin + offset) == access_stamp::no_variable(), is_gap) << offset;
    }
  }
  drop_shadow(memory);
}

TEST(region_shadow, counts_the_bytes_that_neither_a_lane_nor_the_host_has_written) {
  region memory = region_of(16);
  ASSERT_TRUE(make_shadow(memory));
  const access_stamp write(64, 0, 1);
  memory.word_at(begin).set_write(write);
  simt::check::shadow_word& second = memory.word_at(begin + 4);
  second.split({}, memory.tail_of(second));
  second.set_byte(2, {write, {}}, memory.tail_of(second));
  mark_host_write(memory, 12, 1);
  EXPECT_TRUE(memory.last_write(begin + 3) == write);
  EXPECT_TRUE(memory.last_write(begin + 6) == write);
  EXPECT_FALSE(memory.last_write(begin + 5).exists());
  // Written are bytes 0 to 3, 6 and 12; a word that the host has written in part counts as written.
  const simt::check::unwritten_bytes found = find_unwritten(memory, 0, 16);
  EXPECT_EQ(found.count, 7U);
  EXPECT_EQ(found.longest, 5U);
  drop_shadow(memory);
}

}  // namespace region_table_answers
