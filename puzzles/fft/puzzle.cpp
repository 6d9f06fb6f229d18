// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/magnitudes.hpp"
#include "puzzle/transforms.hpp"
#include "puzzle/warps.hpp"

namespace {

/// A complex number is two elements.
constexpr std::size_t parts = 2;

void input(std::span<float> x, unsigned /*warp_size*/) { warpz::fill_with_tones(x, 64); }

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_block(x, expected, parts * values.warp_size, warpz::fourier_transform(values.warp_size));
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& values,
                  warpz::magnitude_sums& sums) {
  const std::size_t elements = parts * values.warp_size;
  return sums.of_fractions(warpz::block_of(x, i / elements, elements));
}

const warpz::puzzle definition = {
    .number = 53,
    .flag = "fft",
    .title = "Warp FFT",
    .kernel = "warp_fft",
    .summary = "a Fourier transform in a warp (shuffle_xor, idx)",
    .documented_blocks = 3,
    .documented_size = 161,
    .elements_per_thread = parts,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
    .has_fractions = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
