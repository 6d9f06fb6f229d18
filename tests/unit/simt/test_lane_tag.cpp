// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tag of a word of shared memory, compared with a model: all accesses of one interval between barriers.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <vector>

#include "simt/check/lane_tag.hpp"

namespace {

using simt::check::access_kind;
using simt::check::barrier_intervals;
using simt::check::lane_tag;

struct access {
  unsigned thread;
  access_kind kind;
};

/// Two accesses of different lanes need no order where both are reads or both atomics.
bool need_order(const access& a, const access& b) {
  if (is_atomic(a.kind) && is_atomic(b.kind)) return false;
  return a.thread != b.thread && (writes(a.kind) || writes(b.kind));
}

constexpr access_kind kinds[] = {access_kind::read,           access_kind::read,        access_kind::write,
                                 access_kind::read_and_write, access_kind::atomic_read, access_kind::atomic_write,
                                 access_kind::atomic_change};

TEST(lane_tag, tells_of_each_access_that_needs_an_order) {
  std::mt19937 random(1);
  unsigned refused = 0, noted = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    barrier_intervals intervals{1, 2};
    lane_tag tag{};
    bool has_value = false;
    for (unsigned interval = 0; interval < 4; ++interval, ++intervals.now) {
      std::vector<access> before;
      const unsigned count = random() % 5, lanes = 1 + random() % 3;
      bool is_clear = true;
      for (unsigned i = 0; i < count && is_clear; ++i) {
        const access next{random() % lanes == 0 ? 1023 : static_cast<unsigned>(random() % 3),
                          kinds[random() % std::size(kinds)]};
        EXPECT_EQ(tag.holds_value(intervals), has_value);
        is_clear = tag.note(intervals, next.thread, next.kind);
        for (const access& each : before) {
          if (need_order(each, next)) {
            EXPECT_FALSE(is_clear);
          }
        }
        // Of the others it asks for an order where one lane mixes atomics and plain accesses, or writes what it shares.
        if (before.empty()) {
          EXPECT_TRUE(is_clear);
        }
        const bool are_reads = next.kind == access_kind::read &&
                               std::all_of(before.begin(), before.end(),
                                           [](const access& each) { return each.kind == access_kind::read; });
        const bool are_atomics =
            is_atomic(next.kind) &&
            std::all_of(before.begin(), before.end(), [](const access& each) { return is_atomic(each.kind); });
        const bool are_of_one_lane =
            !is_atomic(next.kind) && std::all_of(before.begin(), before.end(), [&](const access& each) {
              return each.thread == next.thread && !is_atomic(each.kind);
            });
        EXPECT_EQ(is_clear, are_reads || are_atomics || are_of_one_lane);
        before.push_back(next);
        if (is_clear) has_value = has_value || writes(next.kind);
        ++(is_clear ? noted : refused);
      }
      if (!is_clear) break;
    }
  }
  EXPECT_GT(noted, 10000U);
  EXPECT_GT(refused, 1000U);
}

TEST(lane_tag, forgets_what_an_earlier_block_has_written) {
  lane_tag tag{};
  EXPECT_TRUE(tag.note({1, 2}, 5, access_kind::write));
  EXPECT_TRUE(tag.holds_value({1, 2}));
  EXPECT_TRUE(tag.holds_value({1, 9}));
  EXPECT_FALSE(tag.holds_value({3, 4}));
  EXPECT_TRUE(tag.note({3, 4}, 6, access_kind::read));
  EXPECT_FALSE(tag.holds_value({3, 4}));
}

TEST(lane_tag, counts_as_written_when_the_block_began) {
  lane_tag tag{};
  tag.allow_unwritten({7, 8});
  EXPECT_TRUE(tag.holds_value({7, 8}));
  EXPECT_TRUE(tag.note({7, 8}, 5, access_kind::write));
  tag.allow_unwritten({7, 8});
  EXPECT_FALSE(tag.note({7, 8}, 6, access_kind::read));
}

TEST(lane_tag, asks_for_more_where_bytes_belong_to_no_variable) {
  lane_tag tag = lane_tag::no_variable();
  EXPECT_FALSE(tag.note({1, 2}, 5, access_kind::write));
  EXPECT_FALSE(tag.note({1, lane_tag::max_interval}, 5, access_kind::read));
  tag.allow_unwritten({1, 2});
  EXPECT_FALSE(tag.note({1, 2}, 5, access_kind::write));
}

TEST(lane_tag, has_room_for_the_last_interval) {
  constexpr auto last = lane_tag::max_interval;
  lane_tag tag{};
  EXPECT_TRUE(tag.note({last - 1, last}, 1023, access_kind::write));
  EXPECT_FALSE(tag.note({last - 1, last}, 1022, access_kind::read));
  EXPECT_TRUE(tag.holds_value({last - 1, last}));
}

}  // namespace
