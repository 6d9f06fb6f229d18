// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/transforms.hpp"
#include "puzzle/warps.hpp"

namespace {

/// Whole numbers from -25 to 25 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 20 % 51) - 25; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, warpz::walsh_transform);
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& values,
                  warpz::magnitude_sums& sums) {
  return sums.of(warpz::block_of(x, i / values.warp_size, values.warp_size));
}

const warpz::puzzle definition = {
    .number = 51,
    .flag = "walsh-transform",
    .title = "Warp Walsh transform",
    .kernel = "warp_walsh_transform",
    .summary = "the FFT's butterflies in a warp (shuffle_xor)",
    .documented_blocks = 3,
    .documented_size = 75,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
};

}  // namespace

WARPZ_PUZZLE(definition);
