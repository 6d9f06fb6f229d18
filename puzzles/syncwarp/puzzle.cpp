// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/warps.hpp"

namespace {

/// Steps of 23 around a circle of 89 whole numbers from -40 on: falling and rising, none of them 0 for long.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 23 % 89) - 40; });
}

/// Even lanes double their element, odd ones turn its sign; what comes of it lies the other way round in the output.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    for (std::size_t lane = 0; lane < part.size(); ++lane)
      out[part.size() - 1 - lane] = lane % 2 == 0 ? 2 * part[lane] : -part[lane];
  });
}

const warpz::puzzle definition = {
    .number = 32,
    .flag = "syncwarp",
    .title = "Warp synchronization",
    .kernel = "mirrored_branches",
    .summary = "what other branches wrote, read (syncwarp)",
    .documented_blocks = 3,
    .documented_size = 80,
    .independent_warps = false,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
