// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A puzzle's run: prepared, executed, judged. What it has left belongs to its outcome, whatever runs after it.
#include "run/puzzle_run.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace {

using namespace warpz;
using float_list = std::vector<float>;

float_list copied(const shared_numbers& list) { return {list.all().begin(), list.all().end()}; }

chosen_device cpu() {
  device_request request;
  request.backend = backend_choice::cpu;
  return choose_device(request);
}

run_request given(float_list list) {
  run_request request;
  request.given = shared_numbers(std::move(list));
  request.input = {input_source::kind::file, "numbers.txt"};
  return request;
}

TEST(puzzle_run, an_outcome_keeps_its_numbers_when_others_run) {
  const chosen_device device = cpu();
  const puzzle& task = *find_puzzle("neighbor");
  const puzzle_outcome first = run_puzzle(task, given({1, 4, 9, 16}), device).outcome;
  const puzzle_outcome second = run_puzzle(task, given({0, 2, 2, 5, 7}), device).outcome;
  const puzzle_outcome other = run_puzzle(*find_puzzle("reverse"), given({8, 7, 6}), device).outcome;
  EXPECT_EQ(copied(first.inputs), (float_list{1, 4, 9, 16}));
  EXPECT_EQ(copied(first.output), (float_list{3, 5, 7, 0}));
  EXPECT_EQ(copied(first.expected), (float_list{3, 5, 7, 0}));
  EXPECT_EQ(copied(second.output), (float_list{2, 0, 3, 2, 0}));
  EXPECT_EQ(copied(other.inputs), (float_list{8, 7, 6}));
  EXPECT_EQ(other.result, verdict::passed);
}

TEST(puzzle_run, numbers_outlive_device_and_request) {
  puzzle_outcome outcome;
  {
    const chosen_device device = cpu();
    outcome = run_puzzle(*find_puzzle("neighbor"), given({1, 2, 4}), device).outcome;
  }
  EXPECT_EQ(copied(outcome.inputs), (float_list{1, 2, 4}));
  EXPECT_EQ(copied(outcome.output), (float_list{1, 2, 0}));
}

TEST(puzzle_run, a_result_that_is_only_near_is_judged_again_and_keeps_its_own_numbers) {
  const chosen_device device = cpu();
  // A sum of these rounds in each order in another way.
  float_list list(100000);
  std::iota(list.begin(), list.end(), 3.0F);
  for (float& each : list) each = 1 / each;
  run_request request = given(list);
  unsigned reruns = 0;
  request.on_rerun = [&] { ++reruns; };
  const puzzle_outcome outcome = run_puzzle(*find_puzzle("device-reduce"), request, device).outcome;
  EXPECT_EQ(outcome.result, verdict::passed);
  EXPECT_TRUE(outcome.rests_on_rounding);
  EXPECT_EQ(reruns, 1U) << "the second run is on whole numbers";
  EXPECT_EQ(outcome.judged, case_kind::asked);
  EXPECT_EQ(copied(outcome.inputs), list);
  double sum = 0;
  for (const float each : list) sum += static_cast<double>(each);
  EXPECT_NEAR(static_cast<double>(outcome.output[0]), sum, 1);
}

}  // namespace
