// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

/// Negative numbers from -1 to -97 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 29 % 97) - 97; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    const float greatest = warpz::max_of(part);
    std::transform(part.begin(), part.end(), out.begin(), [greatest](float element) { return element - greatest; });
  });
}

const warpz::puzzle definition = {
    .number = 16,
    .flag = "warp-max",
    .title = "Warp maximum",
    .kernel = "subtract_warp_max",
    .summary = "how far below the warp's maximum (max)",
    .documented_blocks = 3,
    .documented_size = 80,
    .documented_input = input,
    .reference = reference,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
