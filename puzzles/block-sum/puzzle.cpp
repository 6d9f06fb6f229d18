// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>
#include <numeric>

#include "puzzle/warps.hpp"

namespace {

/// Three warps of 32 lanes, or one and a half of 64: the block's last warp may be partial.
constexpr unsigned block_threads = 96;

/// Halves and whole numbers from -9 to 11 in disorder: their sums are exact.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 17 % 41) / 2 - 9; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_block(x, expected, block_threads, [](auto part, auto out) {
    std::fill(out.begin(), out.end(), std::accumulate(part.begin(), part.end(), 0.0F));
  });
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& /*values*/,
                  warpz::magnitude_sums& sums) {
  return sums.of(warpz::block_of(x, i / block_threads, block_threads));
}

const warpz::puzzle definition = {
    .number = 24,
    .flag = "block-sum",
    .title = "Block sum",
    .kernel = "block_sum",
    .summary = "the block's sum in every thread (block::sum)",
    .documented_blocks = 3,
    .documented_size = 250,
    .block_threads = block_threads,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
};

}  // namespace

WARPZ_PUZZLE(definition);
