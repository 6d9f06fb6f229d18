// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/warps.hpp"

namespace {

/// Four warps of 32 lanes, or two of 64.
constexpr unsigned block_threads = 128;

/// Halves around a circle, higher in each block's second half.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 41 % 113 + i % 128) / 2 - 50; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_block(x, expected, block_threads, [](auto part, auto out) {
    out[0] = part[0];
    for (std::size_t i = 1; i < part.size(); ++i) out[i] = warpz::max(out[i - 1], part[i]);
  });
}

const warpz::puzzle definition = {
    .number = 59,
    .flag = "fewer-barriers",
    .title = "Fewer barriers",
    .kernel = "largest_so_far_in_block",
    .summary = "the block's greatest so far, one barrier (up)",
    .documented_blocks = 3,
    .documented_size = 300,
    .block_threads = block_threads,
    .independent_warps = false,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
