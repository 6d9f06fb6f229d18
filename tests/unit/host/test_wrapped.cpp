// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "text/wrapped.hpp"

namespace {

using namespace warpz;

TEST(wrapped, columns_are_those_of_a_terminal) {
  EXPECT_EQ(columns_of(""), 0U);
  EXPECT_EQ(columns_of("a→…"), 3U);
  EXPECT_EQ(columns_of("\x1b[31mred\x1b[0m"), 3U);
  EXPECT_EQ(columns_of("cut off: \x1b[31"), 9U);
}

TEST(fitted, lines_that_fit_stay) {
  EXPECT_EQ(fitted("", 10), "");
  EXPECT_EQ(fitted("0123456789\n\n  a   b\n", 10), "0123456789\n\n  a   b\n");
  EXPECT_EQ(fitted("no end", 10), "no end");
}

TEST(fitted, what_is_broken_off_stands_further_to_the_right) {
  EXPECT_EQ(fitted("one two three four five\n", 10), "one two\n  three\n  four\n  five\n");
  EXPECT_EQ(fitted("  one two three four", 12), "  one two\n    three\n    four");
}

TEST(fitted, blanks_inside_a_line_stay_and_those_at_a_break_go) {
  EXPECT_EQ(fitted("lane 1   waits for all", 14), "lane 1   waits\n  for all");
  EXPECT_EQ(fitted("lane 1   waits for all", 8), "lane 1\n  waits\n  for\n  all");
}

TEST(fitted, a_word_is_never_cut) {
  EXPECT_EQ(fitted("/a/very/long/path is here\n", 10), "/a/very/long/path\n  is here\n");
  EXPECT_EQ(fitted("      0123456789\n", 8), "    0123456789\n");
}

TEST(fitted, colors_take_no_room) {
  EXPECT_EQ(fitted("\x1b[31mred\x1b[0m is a color", 14), "\x1b[31mred\x1b[0m is a color");
}

TEST(broken_command, one_that_fits_stays) {
  EXPECT_EQ(broken_command("next: ", "warpz --average", 21), "next: warpz --average");
}

TEST(broken_command, each_line_but_the_last_ends_in_a_backslash) {
  EXPECT_EQ(broken_command("next: ", "warpz --average --size 1 -o a.svg", 24),
            "next: warpz --average \\\n        --size 1 -o \\\n        a.svg");
}

TEST(broken_command, what_is_quoted_stays_together) {
  EXPECT_EQ(broken_command("", R"('/a b/warpz' -k 'it'\''s one.hip' c\ d)", 16),
            "'/a b/warpz' \\\n  -k \\\n  'it'\\''s one.hip' \\\n  c\\ d");
}

}  // namespace
