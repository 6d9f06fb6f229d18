// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/magnitudes.hpp"
#include "puzzle/transforms.hpp"
#include "puzzle/warps.hpp"

namespace {

constexpr unsigned block_threads = 256;
/// A complex number is two elements.
constexpr std::size_t parts = 2;

void input(std::span<float> x, unsigned /*warp_size*/) { warpz::fill_with_tones(x, 256); }

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_block(x, expected, parts * block_threads, warpz::fourier_transform(block_threads));
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& /*values*/,
                  warpz::magnitude_sums& sums) {
  const std::size_t elements = parts * block_threads;
  return sums.of_fractions(warpz::block_of(x, i / elements, elements));
}

const warpz::puzzle definition = {
    .number = 54,
    .flag = "block-fft",
    .title = "Block FFT",
    .kernel = "block_fft",
    .summary = "a Fourier transform across warps (barrier)",
    .documented_blocks = 2,
    .documented_size = 769,
    .block_threads = block_threads,
    .elements_per_thread = parts,
    .independent_warps = false,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
    .has_fractions = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
