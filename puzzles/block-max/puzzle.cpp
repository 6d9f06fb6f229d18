// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

/// Warps are not whole rows: one of 32 lanes ends within the third.
constexpr std::uint32_t columns = 12, rows = 10;
constexpr unsigned block_threads = columns * rows;

/// Whole numbers from -340 to -10 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 107 % 331) - 340; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_block(x, expected, block_threads,
                        [](auto part, auto out) { std::fill(out.begin(), out.end(), warpz::max_of(part)); });
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  warpz::plan result = warpz::plan_in_blocks(size, block_threads);
  result.block = {columns, rows};
  return result;
}

const warpz::puzzle definition = {
    .number = 25,
    .flag = "block-max",
    .title = "Block maximum",
    .kernel = "block_max",
    .summary = "the maximum of a block of rows (block::max)",
    .documented_size = 300,
    .block_threads = block_threads,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
