// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>
#include <cmath>

#include "warpz/device_state.hpp"

namespace {

/// Quarters from -100 to 150.75 in disorder; from the 1004th on they come again.
void input(std::span<float> x, unsigned /*warp_size*/) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 373 % 1004) / 4 - 100;
}

bool is_lower(float a, float b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  std::copy(x.begin(), x.end(), expected.begin());
  std::sort(expected.begin(), expected.end(), is_lower);
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  return warpz::plan_in_few_blocks(size, warpz::device::block_threads, warpz::device::blocks_for<float>(size),
                                   warpz::device::sort_state<float>(size));
}

constexpr warpz::puzzle definition = {
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
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
