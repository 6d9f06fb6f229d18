// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "puzzle/warps.hpp"

namespace {

/// Squares modulo 7, less 2: -2, -1, 2 and 0, which come unequally often.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i % 7 * (i % 7) % 7) - 2; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      out[i] = static_cast<float>(std::count_if(part.begin(), part.end(), [mine = part[i]](float element) {
        return std::bit_cast<std::uint32_t>(element) == std::bit_cast<std::uint32_t>(mine);
      }));
    }
  });
}

const warpz::puzzle definition = {
    .number = 20,
    .flag = "match",
    .title = "Warp match",
    .kernel = "warp_match",
    .summary = "how many lanes have the same value (match_any)",
    .documented_blocks = 3,
    .documented_size = 80,
    .documented_input = input,
    .reference = reference,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
