// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <numeric>

#include "puzzle/warps.hpp"

namespace {

/// Whole numbers from -11 to 17 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>((i * 17 + 3) % 29) - 11; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size,
                       [](auto part, auto out) { std::exclusive_scan(part.begin(), part.end(), out.begin(), 0.0F); });
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& values,
                  warpz::magnitude_sums& sums) {
  return sums.of(warpz::block_of(x, i / values.warp_size, values.warp_size).first(i % values.warp_size));
}

const warpz::puzzle definition = {
    .number = 18,
    .flag = "exclusive-scan",
    .title = "Warp exclusive prefix sum",
    .kernel = "warp_exclusive_prefix_sum",
    .summary = "sum of the elements before (prefix_sum)",
    .documented_blocks = 3,
    .documented_size = 80,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
};

}  // namespace

WARPZ_PUZZLE(definition);
