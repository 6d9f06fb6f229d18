// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

namespace {

/// The kernel's `queues`.
constexpr std::size_t state_words = 5;

/// Each takes an equal part of the array, a whole number of times what a warp has lanes.
constexpr std::uint32_t max_blocks = 16;

/// Whole numbers from -8 to 14 in disorder: a third of them is negative.
void input(std::span<float> x, unsigned /*warp_size*/) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 9 % 23) - 8;
}

/// How many elements before are negative like this one, or are not like this one.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  std::size_t negatives = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool negative = x[i] < 0;
    expected[i] = static_cast<float>(negative ? negatives : i - negatives);
    if (negative) ++negatives;
  }
}

warpz::plan plan(std::size_t size, const warpz::parameters& values) {
  // Two warps look at the same elements.
  warpz::plan result = warpz::plan_in_blocks(size, 2 * values.warp_size, values.warp_size);
  result.grid[0] = std::min(max_blocks, result.grid[0]);
  result.state = state_words;
  return result;
}

constexpr warpz::puzzle definition = {
    .number = 42,
    .flag = "group-semaphore",
    .title = "Semaphores of warps",
    .kernel = "number_in_kind",
    .kernel_takes = "float* output, const float* input, void* memory, int size",
    .summary = "two queues at once (named_barrier_semaphore)",
    .documented_size = 200,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
