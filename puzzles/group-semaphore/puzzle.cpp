// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/parts.hpp"

namespace {

/// The kernel's `queues`.
constexpr std::size_t state_words = 5;

/// Each takes an equal part of the array, a whole number of times what a warp has lanes.
constexpr std::uint32_t max_blocks = 16;

/// Whole numbers from -8 to 14 in disorder: a third of them is negative.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 9 % 23) - 8; });
}

/// How many elements before are negative like this one, or are not like this one.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  const auto is_negative = [](float element) { return element < 0; };
  warpz::for_each_counted_piece(x, is_negative,
                                [&](std::size_t begin, std::size_t end, std::size_t negatives, std::size_t /*all*/) {
                                  for (std::size_t i = begin; i < end; ++i) {
                                    const bool negative = is_negative(x[i]);
                                    expected[i] = static_cast<float>(negative ? negatives : i - negatives);
                                    if (negative) ++negatives;
                                  }
                                });
}

warpz::plan plan(std::size_t size, const warpz::parameters& values) {
  // Two warps look at the same elements.
  warpz::plan result = warpz::plan_in_blocks(size, 2 * values.warp_size, values.warp_size);
  result.grid[0] = std::min(max_blocks, result.grid[0]);
  result.state = state_words;
  return result;
}

const warpz::puzzle definition = {
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
