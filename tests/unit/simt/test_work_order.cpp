// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has ended before work begins, and whether two pieces of work share bytes.
#include <gtest/gtest.h>

#include "simt/machine/work_order.hpp"

namespace order_of_work {

using simt::row_range;
using simt::work_clock;

TEST(work_clock, covers_what_came_before_on_a_timeline_and_nothing_else) {
  work_clock clock;
  clock.join({3, 5});
  EXPECT_TRUE(clock.covers({3, 4}));
  EXPECT_TRUE(clock.covers({3, 5}));
  EXPECT_FALSE(clock.covers({3, 6}));
  EXPECT_FALSE(clock.covers({2, 1}));
  EXPECT_FALSE(clock.covers({4, 1}));
  EXPECT_TRUE(clock.covers({9, 0}));
}

TEST(work_clock, joins_the_later_of_each_timeline) {
  work_clock one, other;
  one.join({0, 7});
  one.join({1, 2});
  other.join({1, 3});
  other.join({2, 1});
  EXPECT_FALSE(one.covers(other));
  one.join(other);
  EXPECT_TRUE(one.covers(other));
  EXPECT_TRUE(one.covers({0, 7}));
  EXPECT_TRUE(one.covers({1, 3}));
  EXPECT_FALSE(one.covers({1, 4}));
}

TEST(row_range, has_the_bytes_of_its_rows_and_none_between) {
  const row_range rows{1000, 8, 32, 3};  // 1000-1007, 1032-1039, 1064-1071
  EXPECT_EQ(rows.end(), 1072U);
  EXPECT_TRUE(rows.touches(1007, 1));
  EXPECT_FALSE(rows.touches(1008, 24));
  EXPECT_TRUE(rows.touches(1008, 25));
  EXPECT_TRUE(rows.touches(1039, 4));
  EXPECT_FALSE(rows.touches(996, 4));
  EXPECT_TRUE(rows.touches(996, 5));
  EXPECT_FALSE(rows.touches(1072, 4));
}

TEST(row_range, columns_beside_each_other_share_nothing) {
  const row_range left{1000, 16, 64, 4}, right{1016, 48, 64, 4}, wide{1000, 17, 64, 4};
  EXPECT_FALSE(left.touches(right));
  EXPECT_FALSE(right.touches(left));
  EXPECT_TRUE(wide.touches(right));
  EXPECT_TRUE(right.touches(wide));
}

}  // namespace order_of_work
