// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/warps.hpp"

namespace {

/// The numbers 1 - 1i, 2 - 2i, 3 - 3i, …
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) {
    const auto magnitude = static_cast<float>(i / 2 + 1);
    return i % 2 == 0 ? magnitude : -magnitude;
  });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    std::size_t place = 0;
    for (std::size_t i = 0; i < part.size(); i += 2) out[place++] = part[i];
    for (std::size_t i = 1; i < part.size(); i += 2) out[place++] = part[i];
  });
}

const warpz::puzzle definition = {
    .number = 12,
    .flag = "shuffle-idx",
    .title = "Deinterleave",
    .kernel = "warp_deinterleave",
    .summary = "even places first, then the odd (shuffle_idx)",
    .documented_blocks = 3,
    .documented_size = 80,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
