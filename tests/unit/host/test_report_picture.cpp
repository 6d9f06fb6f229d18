// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command that draws a finding: its block, warp, launch and order, and the words of the program.
#include <fmt/format.h>

#include "report/details.hpp"
#include "report_support.hpp"

namespace {

using namespace report_support;

suggestion_style style() {
  suggestion_style created;
  created.can_trace = true;
  created.picture = "lanes.html";
  created.program_files = "--run a.hip b.hip";
  created.program_words = " --cxxflags -O3 -- 'two words'";
  return created;
}

symbolized_finding race_in_block(std::uint32_t x, std::uint32_t y = 0) {
  symbolized_finding created{};
  created.record.kind = WARPZ_DATA_RACE;
  created.record.launch = 1;
  created.record.grid[0] = 10;
  created.record.grid[1] = 5;
  created.record.threads = 64;
  created.record.group_count = 1;
  created.record.groups[0].lanes = 2;
  created.record.groups[0].warp = 1;
  created.record.groups[0].block[0] = x;
  created.record.groups[0].block[1] = y;
  return created;
}

/// Each with what it draws, if there are several.
std::string commands(const std::vector<picture>& all) {
  std::string text;
  for (const picture& each : all)
    text += (text.empty() ? "" : "\n") + each.command + (all.size() > 1 ? ": " + each.shows : "");
  return all.empty() ? "(none)" : text;
}

std::string drawn(symbolized_finding found, unsigned warp_size = 32, suggestion_style suggested = style()) {
  user_program_outcome result;
  result.warp_size = warp_size;
  result.is_checked = true;
  result.findings.push_back(std::move(found));
  return commands(pictures_of(result, suggested));
}

constexpr std::string_view words_behind = " --trace -o lanes.html --cxxflags -O3 -- 'two words'";

TEST(picture_command, the_block_of_a_programs_finding) {
  EXPECT_EQ(drawn(race_in_block(0)), fmt::format("warpz --run a.hip b.hip{}", words_behind));
  EXPECT_EQ(drawn(race_in_block(3, 2), 64),
            fmt::format("warpz --run a.hip b.hip --warp-size 64 --block 23{}", words_behind));
}

TEST(picture_command, the_warp_of_what_one_warp_does) {
  symbolized_finding found = race_in_block(0);
  found.record.kind = WARPZ_DIVERGED_COLLECTIVE;
  EXPECT_EQ(drawn(found), fmt::format("warpz --run a.hip b.hip --warp 1{}", words_behind));
  found.record.threads = 32;
  EXPECT_EQ(drawn(found), fmt::format("warpz --run a.hip b.hip{}", words_behind));
}

TEST(picture_command, the_launch_and_the_order) {
  symbolized_finding found = race_in_block(0);
  found.record.launch = 7;
  found.schedule = 3;
  suggestion_style kept = style();
  kept.kept_options = "--rules amd";
  kept.schedule_options = "--schedules 20";
  EXPECT_EQ(drawn(found, 32, kept),
            fmt::format("warpz --run a.hip b.hip --rules amd --schedule-seed 3 --launch 7{}", words_behind));
}

TEST(picture_command, none_where_a_trace_would_show_nothing) {
  symbolized_finding of_host = race_in_block(0);
  of_host.record.launch = 0;
  EXPECT_EQ(drawn(of_host), "(none)");
  symbolized_finding of_no_lane = race_in_block(0);
  of_no_lane.record.group_count = 0;
  EXPECT_EQ(drawn(of_no_lane), "(none)");
  symbolized_finding in_larger_blocks = race_in_block(0);
  in_larger_blocks.block_threads = 256;
  EXPECT_EQ(drawn(in_larger_blocks), "(none)");
  symbolized_finding refused = race_in_block(0);
  refused.record.kind = WARPZ_INVALID_LAUNCH;
  EXPECT_EQ(drawn(refused), "(none)");
  symbolized_finding accepted = race_in_block(0);
  accepted.suppressed = suppressed_by{"list", 1};
  EXPECT_EQ(drawn(accepted), "(none)");
  EXPECT_EQ(drawn(race_in_block(0), 32, {}), "(none)");
}

TEST(picture_command, each_place_once) {
  user_program_outcome result;
  result.warp_size = 32;
  result.is_checked = true;
  for (const std::uint32_t block : {4, 0, 4, 4}) result.findings.push_back(race_in_block(block));
  result.findings[1].record.kind = WARPZ_OUT_OF_BOUNDS;
  std::strcpy(result.findings[1].record.groups[0].place.file, "a.hip");
  result.findings[1].record.groups[0].place.line = 7;
  EXPECT_EQ(commands(pictures_of(result, style())),
            fmt::format("warpz --run a.hip b.hip --block 4{0}: data race, and 2 more findings\n"
                        "warpz --run a.hip b.hip{0}: out-of-bounds access at a.hip:7",
                        words_behind));
}

TEST(picture_command, a_puzzles_finding_in_its_order) {
  puzzle_outcome result = passed(neighbor, 32, {});
  result.size = 32;
  result.documented = true;
  result.launched.grid[0] = 10;
  result.launched.block[0] = 32;
  result.findings.push_back(race_in_block(2));
  suggestion_style suggested = style();
  suggested.schedule_options = "--schedules 20";
  EXPECT_EQ(commands(pictures_of(result, suggested)), "warpz --neighbor --block 2 --trace -o lanes.html");
  result.findings[0].schedule = 4;
  EXPECT_EQ(commands(pictures_of(result, suggested)),
            "warpz --neighbor --schedule-seed 4 --block 2 --trace -o lanes.html");
}

TEST(picture_command, a_wrong_element_where_the_finding_is_about_no_lane) {
  puzzle_outcome result = passed(neighbor, 32, {});
  result.size = 100;
  result.launched.block[0] = 32;
  result.launched.elements_per_thread = 1;
  result.first_mismatches.push_back({70, 1, 2, 2, 0, 6});
  symbolized_finding dependence{};
  dependence.record.kind = WARPZ_WARP_SIZE_DEPENDENCE;
  result.findings.push_back(dependence);
  result.documented = false;
  EXPECT_EQ(commands(pictures_of(result, style())), "warpz --neighbor --size 100 --block 2 --trace -o lanes.html");
}

}  // namespace
