// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of an order makes a fault show, in words.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/finding_places.hpp"
#include "report/schedule_words.hpp"

namespace test_schedule_words {

using warpz::schedule_decision;
using warpz::schedule_party;
using warpz::shrunk_schedule;
using lines = std::vector<std::string>;

schedule_party lane(unsigned number, unsigned warp, const std::string& file = {}, unsigned line = 0) {
  schedule_party party{};
  party.group.lanes = std::uint64_t{1} << number;
  party.group.warp = warp;
  party.group.state = line != 0 ? WARPZ_LANE_YIELDED : WARPZ_LANE_READY;
  party.place.file = file;
  party.place.line = line;
  return party;
}

warpz::symbolized_finding finding(const std::vector<schedule_decision>& decisions,
                                  shrunk_schedule::end ended = shrunk_schedule::end::smallest,
                                  warpz_finding_kind kind = WARPZ_SCHEDULE_DEPENDENCE) {
  warpz::symbolized_finding found{{}, 0, 3, 0};
  found.record.kind = kind;
  found.shrunk = shrunk_schedule{ended, decisions, decisions.size(), 97, 40};
  return found;
}

lines words(const std::vector<schedule_decision>& decisions,
            shrunk_schedule::end ended = shrunk_schedule::end::smallest,
            warpz_finding_kind kind = WARPZ_SCHEDULE_DEPENDENCE) {
  return schedule_lines(finding(decisions, ended, kind));
}

TEST(schedule_words, one_decision_is_one_sentence) {
  EXPECT_EQ(words({{{}, lane(3, 1, "a.hip", 12), lane(0, 0, "a.hip", 12)}}),
            (lines{"wrong when in block 0, lane 3 of warp 1 goes before lane 0 of warp 0 at a.hip:12",
                   "1 of this order's 97 decisions is enough"}));
  EXPECT_EQ(words({{{}, lane(3, 1, "a.hip", 14), lane(0, 0, "a.hip", 12)}})[0],
            "wrong when in block 0, lane 3 of warp 1 at a.hip:14 goes before lane 0 of warp 0 at line 12");
  EXPECT_EQ(words({{{}, lane(3, 1, "a.hip", 14), lane(0, 0, "b.hpp", 12)}})[0],
            "wrong when in block 0, lane 3 of warp 1 at a.hip:14 goes before lane 0 of warp 0 at b.hpp:12");
  EXPECT_EQ(words({{{}, lane(3, 1, "a.hip", 14), lane(0, 0)}})[0],
            "wrong when in block 0, lane 3 of warp 1 at a.hip:14 goes before lane 0 of warp 0 begins");
}

TEST(schedule_words, launches_blocks_and_other_kinds) {
  schedule_decision blocks{{2, 1, 0, 3, 0, 1, 0}, {}, {}};
  blocks.first.group.block[0] = 3;
  blocks.held.group.block[0] = 1;
  EXPECT_EQ(words({blocks})[0], "wrong when in launch 2, block 3 runs before block 1");
  blocks.decided.launch = 1;
  EXPECT_EQ(words({blocks}, shrunk_schedule::end::smallest, WARPZ_OUT_OF_BOUNDS)[0],
            "found when block 3 runs before block 1");
}

TEST(schedule_words, several_decisions_are_listed_and_the_rest_counted) {
  const schedule_decision one{{}, lane(3, 1, "a.hip", 12), lane(0, 0, "a.hip", 12)};
  const std::string text = "  in block 0, lane 3 of warp 1 goes before lane 0 of warp 0 at a.hip:12";
  EXPECT_EQ(words({one, one}), (lines{"wrong when all of these hold:", text, text,
                                      "2 of this order's 97 decisions: each of them is needed"}));
  EXPECT_EQ(words({one, one, one, one}, shrunk_schedule::end::cut_short),
            (lines{"wrong when all of these hold:", text, text, text, "  and 1 more",
                   "4 of this order's 97 decisions; there may be fewer: shrinking was cut short after 40 runs"}));
}

TEST(schedule_words, says_why_nothing_was_shrunk) {
  EXPECT_EQ(words({}, shrunk_schedule::end::not_shown),
            lines{"the order was not shrunk: who goes before whom does not show it alone"});
  EXPECT_EQ(words({}, shrunk_schedule::end::too_long), lines{"the order was not shrunk: it has 97 decisions"});
  EXPECT_EQ(words({}, shrunk_schedule::end::cut_short), lines{"the order was not shrunk: there was no time left"});
  EXPECT_EQ(warpz::schedule_lines({}), lines{});
}

TEST(schedule_words, places_are_those_with_lines) {
  const auto places = schedule_places_of(
      finding({{{}, lane(3, 1, "a.hip", 14), lane(0, 0)}, {{}, lane(5, 0, "a.hip", 9), lane(6, 0, "a.hip", 8)}}));
  ASSERT_EQ(places.size(), 3U);
  EXPECT_EQ(places[0].text, "lane 3 of warp 1 goes first");
  EXPECT_EQ(places[0].line, 14U);
  EXPECT_EQ(places[2].text, "lane 6 of warp 0 comes behind it");
  EXPECT_EQ(places[2].line, 8U);
}

}  // namespace test_schedule_words
