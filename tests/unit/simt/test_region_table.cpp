// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast answers about an address: which region holds it, and whether accesses to its page need no check. The shadow
// of a region's bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "abi/settings.h"
#include "simt/check/fills.hpp"
#include "simt/check/shadow.hpp"

namespace region_table_answers {

using simt::check::region;
using simt::check::region_table;

constexpr std::uintptr_t page = std::uintptr_t{1} << simt::check::page_bits;
constexpr std::uintptr_t first_page = 1000 * page, begin = first_page + 256;

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

TEST(region_shadow, marks_the_bytes_between_variables_page_by_page_and_keeps_the_marks) {
  const std::vector<simt::check::gap> gaps{{2, 5}, {10, 11}, {page - 3, page + 2}, {3 * page - 1, 3 * page}};
  region memory = region_of(3 * page);
  ++memory.begin;  // within a word
  memory.gaps = &gaps;
  ASSERT_TRUE(make_shadow(memory));
  std::vector<bool> is_marked(4);
  const auto expect_marks = [&](const char* state) {
    for (std::size_t offset = 0; offset < memory.bytes; ++offset) {
      const bool is_gap = std::any_of(gaps.begin(), gaps.end(), [&](const simt::check::gap& each) {
        return offset >= each.begin && offset < each.end;
      });
      ASSERT_EQ(memory.last_write(memory.begin + offset) == access_stamp::no_variable(),
                is_gap && is_marked[(memory.begin + offset - first_page) / page])
          << state << ", " << offset;
    }
  };
  expect_marks("before any page is looked up");
  for (const unsigned number : {1U, 3U, 0U, 1U}) {
    begin_page(memory, first_page + number * page);
    is_marked[number] = true;
    expect_marks("marked");
    clear_shadow(memory);
    expect_marks("cleared");
  }
  drop_shadow(memory);
}

TEST(region_table, marks_the_bytes_between_variables_of_each_page_that_an_access_touches) {
  const std::vector<simt::check::gap> gaps{{8, 12}, {2 * page + 8, 2 * page + 12}};
  region memory = region_of(3 * page);
  memory.gaps = &gaps;
  ASSERT_TRUE(make_shadow(memory));
  region_table table;
  table.set_block_region(0, memory);
  const auto is_marked = [&](std::size_t offset) {
    return table.block_region(0)->last_write(begin + offset) == access_stamp::no_variable();
  };
  table.find(begin + 4);
  EXPECT_TRUE(is_marked(8));
  EXPECT_FALSE(is_marked(2 * page + 8));
  table.find(first_page + page, page);
  EXPECT_FALSE(is_marked(2 * page + 8)) << "the access ends before that page";
  table.find(first_page + page, page + 1);
  EXPECT_TRUE(is_marked(2 * page + 8));
}

TEST(region_shadow, fills_pages_of_shared_memory_before_their_first_access_and_again_those_that_were_accessed) {
  constexpr unsigned char untouched = 0xee;
  constexpr std::size_t kept = 20;
  std::vector<unsigned char> storage(5 * page, untouched);
  region memory{};
  memory.begin = (reinterpret_cast<std::uintptr_t>(storage.data()) / page + 1) * page + 256;
  memory.bytes = 3 * page;
  memory.of_block = true;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(memory.begin);
  const std::vector<unsigned char> before(memory.bytes, untouched);
  std::vector<bool> has_begun(4);
  const std::vector<std::pair<std::uint32_t, unsigned>> fills_and_pages{
      {WARPZ_FILL_BYTE + 0xa5U, 2}, {WARPZ_FILL_MIXED + 1U, 0}, {WARPZ_FILL_MIXED + 2U, 3}};
  for (const auto& [value, number] : fills_and_pages) {
    const std::uint32_t fill = value;  // a lambda takes no structured binding
    std::vector<unsigned char> filled = before;
    simt::check::fill_unwritten(filled.data() + kept, memory.bytes - kept, fill, kept / 4);
    const auto expect_values = [&] {
      for (std::size_t i = 0; i < memory.bytes; ++i)
        ASSERT_EQ(bytes[i], has_begun[(i + 256) / page] ? filled[i] : untouched) << i << ", with " << fill;
      EXPECT_EQ(bytes[-1], untouched);
      EXPECT_EQ(bytes[memory.bytes], untouched);
    };
    fill_pages(memory, kept, fill);
    expect_values();
    has_begun[number] = true;
    begin_page(memory, (memory.begin / page + number) * page);
    expect_values();
    // Lanes write to it, and it begins but once.
    storage[memory.begin + 2 * page - reinterpret_cast<std::uintptr_t>(storage.data())] = 1;
    begin_page(memory, (memory.begin / page + 2) * page);
    EXPECT_EQ(bytes[2 * page], 1);
  }
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
