// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files with accepted findings: what a line is, what it fits, and how a wrong one is refused.
#include "findings/suppressions.hpp"

#include <fmt/format.h>

#include <fstream>

#include "findings/kinds.hpp"
#include "report_support.hpp"

namespace {

using namespace report_support;

class suppressions_test : public testing::Test {
 protected:
  suppressions_test() {
    char pattern[] = "/tmp/warpz-test-XXXXXX";
    close(mkstemp(pattern));
    file = pattern;
  }
  ~suppressions_test() override { unlink(file.c_str()); }

  suppressions reading(std::string_view text) const {
    std::ofstream(file) << text;
    suppressions lines;
    lines.read("suppress", file);
    return lines;
  }
  /// The number of the line and what is wrong with it.
  std::string refused(std::string_view text) const {
    std::string message = failure([&] { reading(text); });
    const std::string before = "--suppress " + file + ":";
    return message.starts_with(before) ? message.substr(before.size()) : message;
  }

  std::string file;
};

symbolized_finding race(std::string_view first = "src/deep/mine.hip", unsigned line = 12) {
  warpz_finding record = finding(WARPZ_DATA_RACE, "ns::scale<float>(float*)", "");
  add_group(record, 1, WARPZ_LANE_WROTE, {}, first, line);
  add_group(record, 2, WARPZ_LANE_READ, {}, "other.hip", 40);
  return {record, {}};
}

TEST_F(suppressions_test, a_line_fits_by_kind_and_place) {
  for (const std::string_view place : {"mine.hip:12", "deep/mine.hip:12", "src/deep/mine.hip", "*.hip:12",
                                       "mine.hip:1?", "other.hip:40", "other.*", "ns::scale<float>", "ns::scale*"}) {
    EXPECT_TRUE(reading("data_race: " + std::string(place)).match(race())) << place;
  }
  for (const std::string_view place :
       {"mine.hip:1", "ine.hip:12", "mine.hip:123", "scale", "other.hip:12", "eep/mine.hip"})
    EXPECT_FALSE(reading("data_race: " + std::string(place)).match(race())) << place;
  EXPECT_FALSE(reading("misaligned: mine.hip:12").match(race()));
}

TEST_F(suppressions_test, the_text_of_a_line_counts_in_place_of_its_number) {
  symbolized_finding found = race("src/mine.hip", 90);
  found.places = {{"", "src/mine.hip", 90, 3, "  total[0] += x;  "}, {"", "other.hip", 40, 3, "y | z"}};
  for (const std::string_view line :
       {R"(mine.hip:12 | total\[0\] += x;)", "mine.hip | total*", "*:* | *+= x;", "other.hip:1 | y | z  # why"})
    EXPECT_TRUE(reading(fmt::format("data_race: {}", line)).match(found)) << line;
  for (const std::string_view line :
       {R"(mine.hip:90 | total\[0\] -= x;)", "other.hip:90 | total*", "mine.hip | y | z", "scale | total*"})
    EXPECT_FALSE(reading(fmt::format("data_race: {}", line)).match(found)) << line;
  suppressions recorded;
  recorded.record("known");
  EXPECT_TRUE(recorded.match(found));
  EXPECT_EQ(recorded.recorded_text(), "data_race: src/mine.hip:90 | total\\[0\\] += x;\n");
  found.record.groups[0].place.line = 91;
  EXPECT_TRUE(reading(recorded.recorded_text()).match(found));
  found.places[0].code = "total[0] = x;";
  EXPECT_FALSE(reading(recorded.recorded_text()).match(found));
}

/// A finding of this kind as the machine or warpz makes it, with all the places that such findings have.
symbolized_finding usual(const finding_kind& kind) {
  symbolized_finding found = kind.cause == shared_cause::same_allocation || kind.id == WARPZ_WARP_SIZE_ASSUMPTION
                                 ? symbolized_finding{finding(static_cast<warpz_finding_kind>(kind.id), "", ""), {}}
                                 : race();
  found.record.kind = kind.id;
  if (found.record.group_count == 0) found.related.push_back({"there", "src/mine.hip", 7});
  return found;
}

TEST_F(suppressions_test, each_kind_that_is_recorded_can_be_read_and_fits) {
  for (const finding_kind& kind : finding_kinds()) {
    suppressions recorded;
    recorded.record("known");
    const symbolized_finding found = usual(kind);
    EXPECT_EQ(recorded.match(found).has_value(), !kind.ends_kernel) << kind.name;
    if (!kind.ends_kernel) EXPECT_TRUE(reading(recorded.recorded_text()).match(found)) << kind.name;
  }
}

TEST_F(suppressions_test, what_has_no_place_is_not_recorded) {
  suppressions recorded;
  recorded.record("known");
  EXPECT_FALSE(recorded.match({finding(WARPZ_LEAK, "", ""), {}}));
  EXPECT_EQ(recorded.recorded_text(), "");
}

TEST_F(suppressions_test, functions_and_places_on_the_stack_fit_too) {
  symbolized_finding found{finding(WARPZ_OUT_OF_BOUNDS, "k", "")};
  found.stack = {{"helper(int)", "include/helper.hpp", 7}};
  EXPECT_TRUE(reading("out_of_bounds:helper").match(found));
  EXPECT_TRUE(reading("out_of_bounds:helper.hpp:7").match(found));
  EXPECT_FALSE(reading("out_of_bounds:help").match(found));
}

TEST_F(suppressions_test, lines_written_for_one_warp_size_fit) {
  symbolized_finding found{finding(WARPZ_WARP_SIZE_DEPENDENCE, "kernel(float*)", "")};
  found.contrast.emplace().hard_coded = {{"lane == 31", "a.hip", 3}};
  EXPECT_TRUE(reading("warp_size_dependence: a.hip:3").match(found));
  for (const std::string_view place : {"a.hip:4", "b.hip"})
    EXPECT_FALSE(reading(fmt::format("warp_size_dependence: {}", place)).match(found)) << place;
}

TEST_F(suppressions_test, the_reason_is_the_comment_behind_or_right_above) {
  suppressions all = reading("# above\ndata_race: a.hip\n\n# far\n\ndata_race: b.hip\ndata_race: c#.hip  # behind\n");
  EXPECT_EQ(all.match(race("a.hip"))->reason, "above");
  EXPECT_EQ(all.match(race("b.hip"))->reason, "");
  EXPECT_EQ(all.match(race("c#.hip"))->reason, "behind");
  EXPECT_EQ(all.match(race("c#.hip"))->line, 7u);
  EXPECT_EQ(all.match(race("a.hip"))->file, file);
}

TEST_F(suppressions_test, lines_that_match_nothing_are_reported) {
  suppressions all = reading("data_race: a.hip\nmisaligned : b.hip # why\n");
  EXPECT_EQ(all.unused("suppress").size(), 2u);
  EXPECT_TRUE(all.match(race("a.hip")));
  EXPECT_EQ(all.unused("suppress"), std::vector<std::string>{file + ":2: no finding matches misaligned : b.hip"});
}

TEST_F(suppressions_test, wrong_lines_are_refused_with_their_number) {
  EXPECT_EQ(refused("\n# fine\nrace: a.hip\n"), "3: race is not a kind of finding");
  EXPECT_EQ(refused("data_race\n"), "1: 'data_race' does not have the form KIND: PLACE");
  EXPECT_EQ(refused("data_race: \t# nothing\n"), "1: 'data_race:' does not have the form KIND: PLACE");
  EXPECT_EQ(refused("unknown: a.hip\n"), "1: unknown is not a kind of finding");
  EXPECT_EQ(refused("data_race: a.hip\ncrash: a.hip"),
            "2: crash cannot be suppressed: it ends the kernel, so that there is no result");
  EXPECT_EQ(refused("\xff\x01: a.hip"), "1: \\xff\\x01 is not a kind of finding");
}

TEST_F(suppressions_test, an_empty_file_accepts_nothing) {
  suppressions none = reading("");
  EXPECT_FALSE(none.match(race()));
  EXPECT_TRUE(none.unused("suppress").empty());
}

}  // namespace
