// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

constexpr std::size_t bins = 4;
/// Four warps of 32 lanes, or two of 64.
constexpr unsigned block_threads = 128;

/// Whole numbers from -12 to 46 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 23 % 59) - 12; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_result(expected, block_threads, [&](std::size_t i) {
    const auto block = warpz::block_of(x, i / bins, block_threads);
    return static_cast<float>(std::count_if(block.begin(), block.end(), [bin = i % bins](float v) {
      return bin == std::size_t{v >= 0} + std::size_t{v >= 16} + std::size_t{v >= 32};
    }));
  });
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  warpz::plan result = warpz::plan_in_blocks(size, block_threads);
  result.output = bins * result.grid[0];
  result.elements_per_thread = 0;
  return result;
}

const warpz::puzzle definition = {
    .number = 57,
    .flag = "warp-histogram",
    .title = "Histogram in the warp",
    .kernel = "warp_histogram",
    .summary = "a block's counts, combined by warps (vote)",
    .documented_size = 300,
    .block_threads = block_threads,
    .independent_warps = false,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
