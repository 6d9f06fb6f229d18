// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>
#include <numeric>

#include "puzzle/warps.hpp"

namespace {

/// Halves and whole numbers from -6 to 9.5 in disorder: their sums are exact.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 13 % 32) / 2 - 6; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    std::fill(out.begin(), out.end(), std::accumulate(part.begin(), part.end(), 0.0F));
  });
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& values,
                  warpz::magnitude_sums& sums) {
  return sums.of(warpz::block_of(x, i / values.warp_size, values.warp_size));
}

const warpz::puzzle definition = {
    .number = 15,
    .flag = "warp-sum",
    .title = "Warp sum",
    .kernel = "warp_sum",
    .summary = "the warp's sum in every lane (sum)",
    .documented_blocks = 3,
    .documented_size = 80,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
};

}  // namespace

WARPZ_PUZZLE(definition);
