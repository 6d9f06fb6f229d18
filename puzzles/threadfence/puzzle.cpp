// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/parts.hpp"

namespace {

constexpr unsigned block_threads = 96;

/// Halves and whole numbers from -8 to 15 in disorder: their sums are exact.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 13 % 47) / 2 - 8; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  expected[0] = static_cast<float>(warpz::sum_in_parts(x));
}

double magnitudes(std::span<const float> x, std::size_t /*i*/, const warpz::parameters& /*values*/,
                  warpz::magnitude_sums& sums) {
  return sums.of(x);
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  warpz::plan result = warpz::plan_in_blocks(size, block_threads);
  result.output = 1;
  // How many blocks have arrived, and the sum of each.
  result.state = std::size_t{1} + result.grid[0];
  result.elements_per_thread = 0;
  return result;
}

const warpz::puzzle definition = {
    .number = 38,
    .flag = "threadfence",
    .title = "Sum by the last block",
    .kernel = "sum_of_all_blocks",
    .kernel_takes = "float* output, const float* input, unsigned* state, int size",
    .summary = "the last block adds up all (threadfence)",
    .documented_size = 1000,
    .block_threads = block_threads,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
};

}  // namespace

WARPZ_PUZZLE(definition);
