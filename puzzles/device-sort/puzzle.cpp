// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/parts.hpp"
#include "warpz/device_state.hpp"

namespace {

/// Quarters from -100 to 150.75 in disorder; from the 1004th on they come again.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 373 % 1004) / 4 - 100; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::sort_in_parts(x, expected);
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  return warpz::plan_in_few_blocks(size, warpz::device::block_threads, warpz::device::blocks_for<float>(size),
                                   warpz::device::sort_state<float>(size));
}

const warpz::puzzle definition = {
    .number = 48,
    .flag = "device-sort",
    .title = "Device-wide sort",
    .kernel = "device_sort",
    .kernel_takes = "float* output, const float* input, unsigned* state, int size",
    .summary = "the whole array in ascending order (device)",
    .documented_size = 10000,
    .block_threads = warpz::device::block_threads,
    .tile = warpz::detail::sort_tile<float>,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .is_distributed = true,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
