// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

/// Steps of 31 around a circle of 83 numbers, half of them negative.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 31 % 83) - 41; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size,
                       [](auto part, auto out) { std::reverse_copy(part.begin(), part.end(), out.begin()); });
}

const warpz::puzzle definition = {
    .number = 14,
    .flag = "reverse",
    .title = "Warp reverse",
    .kernel = "warp_reverse",
    .summary = "the warp's elements back to front (shuffle_xor)",
    .documented_blocks = 3,
    .documented_size = 80,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
