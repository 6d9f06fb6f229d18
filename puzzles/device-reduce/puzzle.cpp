// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/parts.hpp"
#include "warpz/device_state.hpp"

namespace {

/// Whole numbers from -20 to 50 in disorder: their sums are exact.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 37 % 71) - 20; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  expected[0] = static_cast<float>(warpz::sum_in_parts(x));
}

double magnitudes(std::span<const float> x, std::size_t /*i*/, const warpz::parameters& /*values*/,
                  warpz::magnitude_sums& sums) {
  return sums.of(x);
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  warpz::plan result =
      warpz::plan_in_few_blocks(size, warpz::device::block_threads, warpz::device::reduce_blocks<float>(size),
                                warpz::device::reduce_state<float>(size));
  result.output = 1;
  return result;
}

const warpz::puzzle definition = {
    .number = 44,
    .flag = "device-reduce",
    .title = "Device-wide sum",
    .kernel = "device_reduce",
    .kernel_takes = "float* output, const float* input, unsigned* state, int size",
    .summary = "the whole array's sum, by all blocks (device)",
    .documented_size = 60000,
    .block_threads = warpz::device::block_threads,
    .tile = warpz::detail::tile_elements<float, warpz::detail::reduce_rows>,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
    .is_distributed = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
