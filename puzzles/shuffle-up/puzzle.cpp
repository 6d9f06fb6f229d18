// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/warps.hpp"

namespace {

/// Steps of 37 around a circle of 101 numbers, half of them negative.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 37 % 101) - 50; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    out.front() = part.front();
    for (std::size_t i = 1; i < part.size(); ++i) out[i] = part[i] - part[i - 1];
  });
}

const warpz::puzzle definition = {
    .number = 11,
    .flag = "shuffle-up",
    .title = "Delta encoding",
    .kernel = "delta_encoding",
    .summary = "difference to the lane before (shuffle_up)",
    .documented_blocks = 3,
    .documented_size = 80,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
