// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <numeric>

#include "puzzle/warps.hpp"

namespace {

/// Three warps and a half of 32 lanes, or one and three quarters of 64.
constexpr unsigned block_threads = 112;

/// Whole numbers from -9 to 13 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>((i * 14 + 12) % 23) - 9; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_block(x, expected, block_threads,
                        [](auto part, auto out) { std::partial_sum(part.begin(), part.end(), out.begin()); });
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& /*values*/,
                  warpz::magnitude_sums& sums) {
  return sums.of(warpz::block_of(x, i / block_threads, block_threads).first(i % block_threads + 1));
}

const warpz::puzzle definition = {
    .number = 28,
    .flag = "block-prefix-sum",
    .title = "Block prefix sum",
    .kernel = "block_prefix_sum",
    .summary = "running sum of the block (block::prefix_sum)",
    .documented_blocks = 3,
    .documented_size = 250,
    .block_threads = block_threads,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
};

}  // namespace

WARPZ_PUZZLE(definition);
