// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/warps.hpp"

namespace {

/// One warp and a half of 32 lanes, or less than one of 64.
constexpr unsigned block_threads = 48;

/// Whole numbers from -40 to 42 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 23 % 83) - 40; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_block(x, expected, block_threads, [](auto part, auto out) {
    for (std::size_t i = 0; i < part.size(); ++i) out[i] = part.back() - part[i];
  });
}

const warpz::puzzle definition = {
    .number = 27,
    .flag = "block-broadcast",
    .title = "Block broadcast",
    .kernel = "block_broadcast",
    .summary = "how far below the last one (block::broadcast)",
    .documented_blocks = 3,
    .documented_size = 120,
    .block_threads = block_threads,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
