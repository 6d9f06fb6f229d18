// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/warps.hpp"

namespace {

/// Six warps of 32 lanes, or three of 64, and a quarter of one or an eighth.
constexpr std::size_t block_threads = 200;

/// Whole numbers from 3 to 511 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>((i * 37 + 150) % 509) + 3; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_result(expected, block_threads,
                         [&](std::size_t block) { return warpz::min_of(warpz::block_of(x, block, block_threads)); });
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  warpz::plan result = warpz::plan_in_blocks(size, block_threads);
  result.output = result.grid[0];
  result.elements_per_thread = 0;
  return result;
}

const warpz::puzzle definition = {
    .number = 26,
    .flag = "block-min",
    .title = "Block minimum",
    .kernel = "block_min",
    .summary = "one number a block, its minimum (block::min)",
    .documented_size = 500,
    .block_threads = block_threads,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
