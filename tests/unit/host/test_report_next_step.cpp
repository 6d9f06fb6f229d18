// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one command that is suggested: the right size for the kind of mistake, and a line that a shell takes as it is.
#include "findings/kinds.hpp"
#include "report/details.hpp"
#include "report_support.hpp"

namespace {

using namespace report_support;

/// An outcome of `size` elements whose first difference is at `index`.
puzzle_outcome wrong_at(const puzzle& outcome, unsigned warp_size, std::size_t size, std::size_t index) {
  puzzle_outcome created = passed(outcome, warp_size, {});
  created.size = size;
  created.documented = size == outcome.size_for(warp_size);
  created.result = verdict::wrong_result;
  created.mismatch_count = 1;
  const auto place = static_cast<unsigned>(index);
  created.first_mismatches.push_back({index, 1, 2, place / warp_size, 0, place % warp_size});
  return created;
}

std::string command(const puzzle_outcome& outcome, const suggestion_style& style = {}) {
  const std::optional<next_step> next = next_after(outcome, style);
  return next ? next->command : "(none)";
}

puzzle_outcome with_input(puzzle_outcome outcome, input_source::kind kind, std::string detail) {
  outcome.input = {kind, std::move(detail)};
  outcome.documented = false;
  return outcome;
}

TEST(next_step, the_data_is_cut_behind_the_first_wrong_warp) {
  EXPECT_EQ(command(wrong_at(neighbor, 32, 100000, 40)), "warpz --neighbor --size 64");
  EXPECT_EQ(command(wrong_at(neighbor, 32, 33, 31)), "warpz --neighbor --size 32");
  EXPECT_EQ(command(wrong_at(average, 32, 64, 30)), "warpz --average --size 32");
  EXPECT_EQ(command(wrong_at(neighbor, 64, 65, 63)), "warpz --neighbor --warp-size 64 --size 64");
}

TEST(next_step, the_data_is_cut_behind_the_first_wrong_block) {
  EXPECT_EQ(command(wrong_at(block_sum, 32, 250, 40)), "warpz --block-sum --size 96");
  EXPECT_EQ(command(wrong_at(block_sum, 64, 250, 96)), "warpz --block-sum --warp-size 64 --size 192");
  EXPECT_EQ(command(wrong_at(block_sum, 32, 100001, 100000)), "warpz --block-sum --size 161");
}

TEST(next_step, a_lane_may_have_several_elements) {
  puzzle pairs = neighbor;
  pairs.elements_per_thread = 2;
  EXPECT_EQ(command(wrong_at(pairs, 32, 100000, 40)), "warpz --neighbor --size 64");
  EXPECT_EQ(command(wrong_at(pairs, 32, 100000, 70)), "warpz --neighbor --size 128");
  EXPECT_EQ(command(wrong_at(pairs, 32, 100001, 100000)), "warpz --neighbor --size 97");
}

TEST(next_step, what_is_no_longer_the_same_problem_is_not_cut) {
  EXPECT_EQ(command(wrong_at(matmul, 32, 8192, 40)), "warpz --tiled-matmul --warp-size 64");
  puzzle_outcome shaped = wrong_at(matmul, 64, 4 * 3 + 3 * 5, 1);
  shaped.shape = matrix_shape{4, 5, 3};
  EXPECT_EQ(command(shaped), "warpz --tiled-matmul --shape 4x5x3");
  shaped.size = 26;
  EXPECT_EQ(command(shaped), "warpz --tiled-matmul --size 26");
}

TEST(next_step, many_elements_with_a_wrong_last_warp_become_two_warps) {
  EXPECT_EQ(command(wrong_at(neighbor, 32, 100001, 100000)), "warpz --neighbor --size 33");
  EXPECT_EQ(command(wrong_at(neighbor, 32, 2048, 2047)), "warpz --neighbor --size 64");
}

TEST(next_step, a_warp_that_is_wrong_from_the_start_becomes_one_to_work_out_by_hand) {
  EXPECT_EQ(command(wrong_at(neighbor, 32, 32, 0)), "warpz --neighbor --size 8");
  EXPECT_EQ(command(wrong_at(neighbor, 32, 32, 7)), "warpz --neighbor --size 8");
}

TEST(next_step, a_wrong_end_is_told_from_the_warps_end) {
  EXPECT_EQ(command(wrong_at(neighbor, 32, 32, 31)), "warpz --neighbor --size 33");
  puzzle_outcome chosen = wrong_at(neighbor, 32, 32, 31);
  chosen.documented = false;
  EXPECT_EQ(command(chosen), "warpz --neighbor --warp-size 64 --size 32") << "it would go back and forth";
}

TEST(next_step, what_64_lanes_get_wrong_is_tried_with_32) {
  EXPECT_EQ(command(wrong_at(average, 64, 64, 62)), "warpz --average");
}

TEST(next_step, otherwise_the_other_warp_size) {
  EXPECT_EQ(command(wrong_at(neighbor, 32, 8, 3)), "warpz --neighbor --warp-size 64 --size 8");
  EXPECT_EQ(command(wrong_at(neighbor, 64, 8, 3)), "warpz --neighbor --size 8");
}

TEST(next_step, a_partial_warp_that_is_wrong_at_its_end_is_tried_full) {
  EXPECT_EQ(command(wrong_at(neighbor, 32, 20, 19)), "warpz --neighbor --size 32");
  EXPECT_EQ(command(wrong_at(neighbor, 64, 80, 70)), "warpz --neighbor --warp-size 64 --size 128");
  // A file has no more elements.
  const auto file = with_input(wrong_at(neighbor, 32, 20, 19), input_source::kind::file, "f");
  EXPECT_EQ(command(file), "warpz --neighbor --warp-size 64 --input f --size 20");
}

TEST(next_step, own_data_is_given_again) {
  const auto random = with_input(wrong_at(partition, 32, 96, 40), input_source::kind::random, "7");
  EXPECT_EQ(command(random), "warpz --partition --random 7 --size 64");
  puzzle_outcome file = with_input(wrong_at(partition, 32, 96, 40), input_source::kind::file, "my data.txt");
  file.pivot = -0.5F;
  EXPECT_EQ(command(file), "warpz --partition --input 'my data.txt' --size 64 --pivot -0.5");
  // A file has no more elements than it has.
  const auto end = with_input(wrong_at(neighbor, 32, 32, 31), input_source::kind::file, "-");
  EXPECT_EQ(command(end), "warpz --neighbor --warp-size 64 --input - --size 32");
}

TEST(next_step, random_data_of_the_usual_size_needs_no_size) {
  const auto outcome = with_input(wrong_at(neighbor, 32, 32, 31), input_source::kind::random, "7");
  EXPECT_EQ(command(outcome), "warpz --neighbor --warp-size 64 --random 7 --size 32");
  const auto device = [&] {
    puzzle_outcome gpu = outcome;
    gpu.on_cpu_machine = false;
    return gpu;
  }();
  EXPECT_EQ(command(device, {"warpz", "", "", "", "--backend cpu", false}),
            "warpz --neighbor --backend cpu --random 7");
}

TEST(next_step, names_are_quoted_for_the_shell) {
  const auto named = [](std::string name) {
    return command(with_input(wrong_at(neighbor, 32, 96, 40), input_source::kind::file, std::move(name)));
  };
  EXPECT_EQ(named("it's;rm -rf"), "warpz --neighbor --input 'it'\\''s;rm -rf' --size 64");
  EXPECT_EQ(named("--all"), "warpz --neighbor --input ./--all --size 64");
  EXPECT_EQ(named("a\x1b[2J").find('\x1b'), std::string::npos);
}

TEST(next_step, the_program_and_its_other_options_stay) {
  const suggestion_style style{"scripts/warpz", "--module my.so", "--schedules 2",
                               "--backend cpu", "--backend cpu",  true};
  EXPECT_EQ(command(wrong_at(neighbor, 64, 65, 0), style),
            "scripts/warpz --neighbor --module my.so --schedules 2 --backend cpu --warp-size 64 --size 64");
}

TEST(next_step, what_a_gpu_got_wrong_is_tried_on_the_cpu_machine) {
  puzzle_outcome outcome = wrong_at(neighbor, 64, 64, 63);
  outcome.on_cpu_machine = false;
  const suggestion_style style{"warpz", "", "", "--backend amd --device 1", "--backend cpu", false};
  EXPECT_EQ(command(outcome, style), "warpz --neighbor --backend cpu --warp-size 64");
  outcome = wrong_at(neighbor, 32, 1000, 63);
  outcome.on_cpu_machine = false;
  EXPECT_EQ(command(outcome, style), "warpz --neighbor --backend cpu --size 1000");
}

TEST(next_step, kernels_compiled_for_a_gpu_are_tried_there_with_less) {
  const suggestion_style style{"warpz", "--module gpu.so", "", "--backend amd --device 1", "--backend cpu", true};
  puzzle_outcome outcome = wrong_at(neighbor, 64, 1000, 63);
  outcome.on_cpu_machine = false;
  EXPECT_EQ(command(outcome, style), "warpz --neighbor --module gpu.so --backend amd --device 1 --size 64");
  outcome.size = 64;
  EXPECT_EQ(command(outcome, style), "warpz --neighbor --module gpu.so --backend amd --device 1 --size 1");
  outcome.size = 1;
  EXPECT_EQ(command(outcome, style), "warpz --neighbor --module gpu.so --backend amd --device 1 --size 64");
}

TEST(next_step, a_finding_is_cut_to_its_block) {
  warpz_finding record = diverged();
  record.groups[0].block[0] = 2;
  EXPECT_EQ(command(broken(neighbor, 32, 1000, record)), "warpz --neighbor --size 96");
  // A record may claim any block.
  record.groups[0].block[0] = 0xffffffff;
  record.group_count = 0xffffffff;
  EXPECT_EQ(command(broken(neighbor, 32, 1000, record)), "warpz --neighbor --size 1024");
}

TEST(next_step, a_finding_in_a_partial_warp_is_tried_with_a_whole_one) {
  EXPECT_EQ(command(broken(neighbor, 32, 5, diverged())), "warpz --neighbor --size 32");
  const warpz_finding mask = finding(WARPZ_WRONG_MASK, "k", "m");
  EXPECT_EQ(command(broken(neighbor, 32, 33, mask)), "warpz --neighbor --size 64");
  const auto file = [&](std::size_t size) {
    return command(with_input(broken(neighbor, 32, size, mask), input_source::kind::file, "f"));
  };
  EXPECT_EQ(file(70), "warpz --neighbor --input f --size 64");
  EXPECT_EQ(file(5), "(none)");
}

TEST(next_step, a_crash_is_tried_with_one_element) {
  const warpz_finding crash = finding(WARPZ_CRASH, "k", "m");
  EXPECT_EQ(command(broken(neighbor, 32, 32, crash)), "warpz --neighbor --size 1");
  EXPECT_EQ(command(broken(neighbor, 32, 1, crash)), "(none)");
  EXPECT_EQ(command(broken(neighbor, 32, 33, warpz_finding{})), "warpz --neighbor --size 1");
}

TEST(next_step, a_crash_of_a_later_lane_is_tried_up_to_its_element) {
  warpz_finding crash = finding(WARPZ_CRASH, "k", "m");
  add_group(crash, 1U << 7, WARPZ_LANE_RUNNING);
  EXPECT_EQ(command(broken(neighbor, 32, 32, crash)), "warpz --neighbor --size 8");
  EXPECT_EQ(command(broken(neighbor, 32, 8, crash)), "(none)") << "with less it would not be there";
  crash.groups[0].block[0] = 2;
  EXPECT_EQ(command(broken(neighbor, 32, 96, crash)), "warpz --neighbor --size 72");
  EXPECT_EQ(command(broken(block_sum, 32, 250, crash)), "warpz --block-sum --size 200");
}

TEST(next_step, a_finding_of_several_blocks_is_cut_behind_the_last) {
  warpz_finding race = finding(WARPZ_DATA_RACE, "k", "m");
  add_group(race, 1, WARPZ_LANE_WROTE).block[0] = 1;
  add_group(race, 1, WARPZ_LANE_READ).block[0] = 4;
  EXPECT_EQ(command(broken(neighbor, 32, 1000, race)), "warpz --neighbor --size 160");
}

TEST(next_step, a_race_is_tried_in_other_orders) {
  const warpz_finding race = finding(WARPZ_DATA_RACE, "k", "m");
  EXPECT_EQ(command(broken(neighbor, 64, 64, race)), "warpz --neighbor --schedules 5 --warp-size 64");
  suggestion_style style;
  style.schedule_options = "--schedules 3";
  EXPECT_EQ(command(broken(neighbor, 32, 32, race), style), "warpz --neighbor --schedules 3 --size 8");
}

TEST(next_step, what_an_order_changes_is_tried_in_that_order_alone) {
  for (const warpz_finding_kind kind : {WARPZ_SCHEDULE_DEPENDENCE, WARPZ_BLOCK_SIZE_DEPENDENCE}) {
    warpz_finding record = finding(kind, "k", "m");
    add_group(record, 1, WARPZ_LANE_WROTE);
    puzzle_outcome outcome = broken(neighbor, 32, 64, record);
    outcome.findings.front().schedule = 7;
    outcome.findings.front().block_threads = kind == WARPZ_BLOCK_SIZE_DEPENDENCE ? 64 : 0;
    suggestion_style style;
    style.schedule_options = "--schedules 9";
    EXPECT_EQ(command(outcome, style), "warpz --neighbor --schedule-seed 7 --size 64");
    style.schedule_options = "--schedule-seed 7";
    EXPECT_EQ(command(outcome, style), "(none)");
  }
  puzzle_outcome miss = broken(neighbor, 32, 64, finding(WARPZ_OUT_OF_BOUNDS, "k", "m"));
  miss.findings.front().schedule = 3;
  EXPECT_EQ(command(miss), "warpz --neighbor --schedule-seed 3 --size 64") << "with one element there is no order";
}

TEST(next_step, an_undefined_value_is_tried_with_few_elements) {
  const warpz_finding record = finding(WARPZ_UNDEFINED_LANE_VALUE, "k", "m");
  EXPECT_EQ(command(broken(neighbor, 32, 32, record)), "warpz --neighbor --size 8");
  EXPECT_EQ(command(broken(neighbor, 32, 8, record)), "warpz --neighbor --size 32");
  EXPECT_EQ(command(broken(matmul, 32, 8192, record)), "(none)");
}

// A new kind has to choose, too: nothing is taken for a crash by default.
TEST(next_step, only_bad_accesses_ends_and_frees_are_tried_with_one_element) {
  std::string names;
  for (const finding_kind& each : finding_kinds()) {
    const auto kind = static_cast<warpz_finding_kind>(each.id);
    if (command(broken(neighbor, 32, 32, finding(kind, "k", "m"))).ends_with("--size 1")) {
      names += " " + std::string(each.name);
    }
  }
  EXPECT_EQ(
      names,
      " no_progress crash assertion out_of_bounds misaligned undefined_arithmetic use_after_free double_free leak "
      "over_limit");
}

TEST(next_step, a_finding_of_which_no_run_tells_more_has_none) {
  EXPECT_EQ(command(broken(neighbor, 32, 32, diverged())), "(none)");
  EXPECT_EQ(command(broken(neighbor, 64, 64, diverged())), "(none)");
}

}  // namespace
