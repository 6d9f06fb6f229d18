// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

/// Thirteen warps of 32 lanes, or six and a half of 64.
constexpr unsigned block_threads = 416;

/// Whole numbers from -500 to 508 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>((i * 97 + 300) % 1009) - 500; });
}

/// The greatest or the least, whichever is farther from zero; the greatest if both are as far.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_block(x, expected, block_threads, [](auto part, auto out) {
    const float greatest = warpz::max_of(part), least = warpz::min_of(part);
    std::fill(out.begin(), out.end(), -least > greatest ? least : greatest);
  });
}

const warpz::puzzle definition = {
    .number = 29,
    .flag = "hybrid-reduction",
    .title = "Hybrid reduction",
    .kernel = "hybrid_reduction",
    .summary = "farthest from 0: warps, then block (reduce)",
    .documented_blocks = 3,
    .documented_size = 1000,
    .block_threads = block_threads,
    .documented_input = input,
    .reference = reference,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
