// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "warpz/device_state.hpp"

namespace {

/// From -31.25 to 34.75 in steps of 1, in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 44 % 67) - 31.25F;
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  const auto is_kept = [pivot = values.pivot](float element) { return element > pivot; };
  std::fill(std::copy_if(x.begin(), x.end(), expected.begin(), is_kept), expected.end(), 0.0F);
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  return warpz::plan_in_few_blocks(size, warpz::device::block_threads, warpz::device::blocks_for<float>(size),
                                   warpz::device::split_state<float>(size));
}

constexpr warpz::puzzle definition = {
    .number = 47,
    .flag = "device-compaction",
    .title = "Device-wide compaction",
    .kernel = "device_compaction",
    .kernel_takes = "float* output, const float* input, unsigned* state, int size, float pivot",
    .summary = "those above the pivot, without gaps (device)",
    .documented_size = 50000,
    .block_threads = warpz::device::block_threads,
    .tile = warpz::detail::tile_elements<float, warpz::detail::split_rows>,
    .documented_pivot = 5.0F,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
