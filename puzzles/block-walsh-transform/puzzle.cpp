// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/transforms.hpp"
#include "puzzle/warps.hpp"

namespace {

constexpr unsigned block_threads = 256;

/// Whole numbers from -33 to 33 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 28 % 67) - 33; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_block(x, expected, block_threads, warpz::walsh_transform);
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& /*values*/,
                  warpz::magnitude_sums& sums) {
  return sums.of(warpz::block_of(x, i / block_threads, block_threads));
}

const warpz::puzzle definition = {
    .number = 52,
    .flag = "block-walsh-transform",
    .title = "Block Walsh transform",
    .kernel = "block_walsh_transform",
    .summary = "the FFT's butterflies across warps (barrier)",
    .documented_blocks = 2,
    .documented_size = 400,
    .block_threads = block_threads,
    .independent_warps = false,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
};

}  // namespace

WARPZ_PUZZLE(definition);
