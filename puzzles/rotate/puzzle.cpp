// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

/// Steps of 29 around a circle of 97 numbers, half of them negative.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 29 % 97) - 48; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    std::rotate_copy(part.begin(), part.begin() + 1, part.end(), out.begin());
  });
}

const warpz::puzzle definition = {
    .number = 13,
    .flag = "rotate",
    .title = "Warp rotate",
    .kernel = "warp_rotate",
    .summary = "the next element, around a ring (shuffle_idx)",
    .documented_blocks = 3,
    .documented_size = 80,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
