// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which findings are told as one, in which order, and which of their source lines may be quoted.
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "findings/finding_filter.hpp"
#include "findings/source_text.hpp"
#include "process/finding_stream.hpp"
#include "report_support.hpp"

namespace {

using namespace report_support;
namespace fs = std::filesystem;

/// A race over `name` between two lines.
symbolized_finding race(unsigned line, unsigned other_line, std::string name = "tile") {
  symbolized_finding found{finding(WARPZ_DATA_RACE, "k", "")};
  add_group(found.record, 1, WARPZ_LANE_WROTE, "", "a.hip", line);
  add_group(found.record, 2, WARPZ_LANE_READ, "", "a.hip", other_line);
  found.record.relation = WARPZ_ONE_WARP;
  found.places = {{"k", "a.hip", line}, {"k", "a.hip", other_line}};
  found.memory = named_memory{};
  found.memory->name = std::move(name);
  return found;
}

symbolized_finding miss(unsigned line, std::string name = "tile") {
  symbolized_finding found = race(line, line, std::move(name));
  found.record.kind = WARPZ_OUT_OF_BOUNDS;
  found.record.group_count = 1;
  found.places.resize(1);
  return found;
}

std::vector<symbolized_finding> filtered(const std::vector<symbolized_finding>& given, std::size_t limit = 15) {
  finding_filter filter({limit, nullptr});
  for (const symbolized_finding& each : given) filter.add(each, {});
  return filter.take();
}

TEST(finding_groups, races_that_share_a_line_are_one) {
  symbolized_finding far = race(7, 9);
  far.record.relation = WARPZ_ONE_BLOCK;
  far.record.repeats = 4;
  const auto found = filtered({race(5, 7), far, race(7, 5), race(9, 11)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].places[0].line, 5U) << "the first is shown";
  EXPECT_EQ(found[0].record.repeats, 7U);
  EXPECT_EQ(found[0].record.relation, unsigned{WARPZ_ONE_BLOCK}) << "what orders all of them";
  EXPECT_EQ(found[0].likewise,
            (std::vector<std::string>{"likewise between a.hip:7 and 9", "likewise between a.hip:9 and 11"}));
}

TEST(finding_groups, races_of_their_own_are_told_on_their_own) {
  symbolized_finding other_kernel = race(5, 7), warning = race(5, 7), nowhere = race(0, 7);
  put(other_kernel.record.kernel, "l");
  warning.record.severity = WARPZ_WARNING;
  EXPECT_EQ(filtered({race(5, 7), race(8, 9), race(5, 7, "other"), other_kernel, warning, nowhere}).size(), 6U);
}

TEST(finding_groups, an_error_is_shown_in_place_of_a_warning_that_a_value_is_passed) {
  symbolized_finding passed = race(5, 7), error = race(5, 7), elsewhere = race(7, 9);
  passed.record.severity = WARPZ_WARNING;
  passed.record.pattern = WARPZ_RACE_FORWARDED_READ;
  passed.record.repeats = 2;
  passed.record.relation = WARPZ_ONE_BLOCK;
  EXPECT_EQ(filtered({passed, passed})[0].record.severity, unsigned{WARPZ_WARNING});
  for (const auto& given : {std::vector{passed, error, elsewhere}, std::vector{error, passed, elsewhere}}) {
    const auto found = filtered(given);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].record.severity, unsigned{WARPZ_ERROR});
    EXPECT_EQ(found[0].record.pattern, 0U);
    EXPECT_EQ(found[0].record.repeats, 4U);
    EXPECT_EQ(found[0].record.relation, unsigned{WARPZ_ONE_BLOCK});
    EXPECT_EQ(found[0].likewise, std::vector<std::string>{"likewise between a.hip:7 and 9"});
  }
}

TEST(finding_groups, only_a_few_pairs_of_lines_are_told) {
  std::vector<symbolized_finding> all;
  for (unsigned line = 2; line < 10; ++line) all.push_back(race(1, line));
  const auto found = filtered(all);
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].likewise.size(), 5U);
  EXPECT_EQ(found[0].likewise.back(), "likewise between 3 more pairs of lines");
}

TEST(finding_groups, accesses_of_one_line_are_one) {
  EXPECT_EQ(filtered({miss(5), miss(5), miss(5)}).size(), 1U);
  EXPECT_EQ(filtered({miss(5), miss(6), miss(5, "other")}).size(), 3U);
  EXPECT_EQ(filtered({miss(5), miss(5)})[0].notes.size(), 0U);
}

TEST(finding_groups, the_limit_counts_causes) {
  finding_filter filter({2, nullptr});
  for (unsigned line = 1; line <= 4; ++line) {
    filter.add(miss(line), {});
    filter.add(miss(line), {});
  }
  EXPECT_TRUE(filter.fail);
  EXPECT_EQ(filter.left_out, 4U);
  EXPECT_EQ(filter.take().size(), 2U);
}

TEST(finding_groups, errors_come_before_warnings) {
  symbolized_finding warning = miss(1), other = miss(2);
  warning.record.severity = other.record.severity = WARPZ_WARNING;
  const auto found = filtered({warning, miss(3), other, miss(4)});
  std::vector<unsigned> lines;
  for (const symbolized_finding& each : found) lines.push_back(each.places[0].line);
  EXPECT_EQ(lines, (std::vector<unsigned>{3, 4, 1, 2}));
}

TEST(finding_groups, what_follows_from_a_race_is_dropped_only_beside_one) {
  warpz_finding read = finding(WARPZ_UNINITIALISED_READ, "k", ""), race = finding(WARPZ_DATA_RACE, "k", "");
  read.is_effect = 1;
  std::vector<warpz_finding> alone{read}, both{read, race}, beside_a_warning{read, race};
  beside_a_warning[1].severity = WARPZ_WARNING;
  for (auto* const each : {&alone, &both, &beside_a_warning}) drop_effects(*each);
  EXPECT_EQ(alone.size(), 1U);
  ASSERT_EQ(both.size(), 1U);
  EXPECT_EQ(both[0].kind, unsigned{WARPZ_DATA_RACE});
  EXPECT_EQ(beside_a_warning.size(), 2U);
}

class source_text_test : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/warpz-source-text-XXXXXX";
    folder_ = mkdtemp(name);
    fs::create_directory(folder_ / "own");
    write("own/mine.hip", "first\n  second \t\r\nthird");
    write("own/help.hpp", "help\n");
    write("other.txt", "secret\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const fs::path& file, const std::string& text) {
    std::ofstream(folder_ / file) << text;
    // The test has begun before.
    fs::last_write_time(folder_ / file, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  std::string text(const fs::path& file, unsigned line) const {
    return source_text({"", 0, {folder_ / "own/mine.hip"}}, folder_ / file, line);
  }

  fs::path folder_;
};

TEST_F(source_text_test, lines_of_the_users_sources_and_of_files_beside_them) {
  EXPECT_EQ(text("own/mine.hip", 1), "first");
  EXPECT_EQ(text("own/mine.hip", 2), "  second");
  EXPECT_EQ(text("own/mine.hip", 3), "third");
  EXPECT_EQ(text("own/mine.hip", 4), "");
  EXPECT_EQ(text("own/mine.hip", 0), "");
  EXPECT_EQ(text("own/mine.hip", 4000000000), "");
  EXPECT_EQ(text("own/help.hpp", 1), "help");
}

TEST_F(source_text_test, no_other_file_is_read) {
  EXPECT_EQ(text("other.txt", 1), "");
  EXPECT_EQ(text("own/../other.txt", 1), "");
  fs::create_symlink(folder_ / "other.txt", folder_ / "own/link.hpp");
  EXPECT_EQ(text("own/link.hpp", 1), "");
  EXPECT_EQ(text("own", 1), "");
  EXPECT_EQ(text("own/missing.hip", 1), "");
  EXPECT_EQ(source_text({}, folder_ / "own/mine.hip", 1), "") << "no source is the user's";
}

TEST_F(source_text_test, a_file_that_has_changed_is_not_quoted) {
  fs::last_write_time(folder_ / "own/mine.hip", fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_EQ(text("own/mine.hip", 1), "");
}

}  // namespace
