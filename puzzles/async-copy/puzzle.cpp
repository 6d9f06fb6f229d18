// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

constexpr std::size_t half = 64;

/// Whole numbers from -50 to 46 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 41 % 97) - 50; });
}

/// Back to front, each half of a block's part for itself.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_block(x, expected, half,
                        [](auto part, auto out) { std::reverse_copy(part.begin(), part.end(), out.begin()); });
}

/// A thread turns two elements, and may leave the writing to others.
warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  return warpz::plan_in_blocks(size, half, 2 * half);
}

const warpz::puzzle definition = {
    .number = 37,
    .flag = "async-copy",
    .title = "Asynchronous copy",
    .kernel = "reversed_halves",
    .summary = "copies in groups, in and out (async_copy)",
    .documented_size = 256,
    .block_threads = half,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
