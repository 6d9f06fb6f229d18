// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --bench: which kernels are measured, and that wrong ones are not. Of the vendors' libraries a module has kernels by
// the puzzles' names; here those of library_kernels.cpp stand in for them.
#include "run/benchmark.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "run/backend.hpp"

namespace {

using namespace warpz;

/// What is measured of the puzzle, behind the copy.
std::vector<measurement> measured(std::string_view flag) {
  device_request request;
  request.backend = backend_choice::cpu;
  const chosen_device device = choose_device(request);
  benchmark all;
  all.backend = device.kernels->vendor();
  all.warp_size = device.device.warp_size;
  const puzzle* const task = find_puzzle(flag);
  std::vector<std::string> told;
  run_request data;
  data.size = 1000;
  measure_all(all, device, std::span(&task, 1), data, [&](const measurement& each) {
    told.push_back(std::string(each.puzzle) + ' ' + std::string(each.kind));
  });
  std::vector<std::string> expected{"copy copy"};
  for (const measurement& each : all.measured) expected.push_back(std::string(flag) + ' ' + std::string(each.kind));
  EXPECT_EQ(told, expected);
  return all.measured;
}

std::vector<std::string> kinds(const std::vector<measurement>& all) {
  std::vector<std::string> found;
  for (const measurement& each : all) found.emplace_back(each.kind);
  return found;
}

TEST(benchmark, has_the_librarys_kernel_of_a_puzzle_if_the_module_has_one) {
  const std::vector<measurement> swaps = measured("pair-swap");
  EXPECT_EQ(kinds(swaps), (std::vector<std::string>{"warp", "shared", "tuned", "library"}));
  EXPECT_EQ(swaps.back().kernel, "library_pair_swap");
  EXPECT_EQ(swaps.back().result, verdict::passed);
  EXPECT_GT(swaps.back().median, 0);
  EXPECT_EQ(kinds(measured("rotate")), (std::vector<std::string>{"warp"}));
}

TEST(benchmark, does_not_measure_a_wrong_kernel_of_a_library) {
  const std::vector<measurement> turned = measured("reverse");
  ASSERT_EQ(kinds(turned), (std::vector<std::string>{"warp", "library"}));
  EXPECT_EQ(turned.back().result, verdict::wrong_result);
  EXPECT_EQ(turned.back().runs, 0U);
  EXPECT_EQ(turned.back().median, 0);
  EXPECT_GT(turned.front().runs, 0U);
}

}  // namespace
