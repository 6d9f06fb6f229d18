// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/parts.hpp"
#include "warpz/device_state.hpp"

namespace {

/// From -30.25 to 57.75 in steps of 1, in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 55 % 89) - 30.25F; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  const auto is_left = [pivot = values.pivot](float element) { return element < pivot; };
  warpz::for_each_counted_piece(x, is_left, [&](std::size_t begin, std::size_t end, std::size_t left, std::size_t all) {
    std::copy_if(x.begin() + begin, x.begin() + end, expected.begin() + left, is_left);
    std::remove_copy_if(x.begin() + begin, x.begin() + end, expected.begin() + all + (begin - left), is_left);
  });
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  return warpz::plan_in_few_blocks(size, warpz::device::block_threads, warpz::device::blocks_for<float>(size),
                                   warpz::device::split_state<float>(size));
}

const warpz::puzzle definition = {
    .number = 46,
    .flag = "device-partition",
    .title = "Device-wide partition",
    .kernel = "device_partition",
    .kernel_takes = "float* output, const float* input, unsigned* state, int size, float pivot",
    .summary = "smaller ones to the array's front (device)",
    .documented_size = 50000,
    .block_threads = warpz::device::block_threads,
    .tile = warpz::detail::tile_elements<float, warpz::detail::split_rows<float>>,
    .documented_pivot = 5.0F,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .is_distributed = true,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
