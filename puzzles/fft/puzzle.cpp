// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <complex>

#include "puzzle/magnitudes.hpp"
#include "puzzle/transforms.hpp"
#include "puzzle/warps.hpp"

namespace {

/// A complex number is two elements.
constexpr std::size_t parts = 2;

/// Of every 128 complex numbers 64 are a tone of four to a turn, and every 16 of all an impulse more. Their transform
/// has whole numbers only, none of them 0, and what is multiplied on the way to it by anything but 1 and -i is 0: no
/// platform's rounding shows.
void input(std::span<float> x, unsigned /*warp_size*/) {
  constexpr std::size_t tone_length = 64, apart = 16;
  constexpr std::complex<float> tone[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t number = i / parts;
    std::complex<float> value = number / tone_length % 2 == 0 ? tone[number % 4] : 0;
    const auto impulse = static_cast<float>(number / apart % 10);
    if (number % apart == 0) value += std::complex<float>(5 + 2 * impulse, 2 + impulse);
    x[i] = i % parts == 0 ? value.real() : value.imag();
  }
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_block(x, expected, parts * values.warp_size, warpz::fourier_transform(values.warp_size));
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& values,
                  warpz::magnitude_sums& sums) {
  const std::size_t elements = parts * values.warp_size;
  return sums.of_fractions(warpz::block_of(x, i / elements, elements));
}

constexpr warpz::puzzle definition = {
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
