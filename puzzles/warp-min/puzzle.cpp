// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

/// 8, 4, 11, 7, 3, 10, …: each number from 3 to 13 several times, so that minima are not alone.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>((i * 7 + 5) % 11 + 3); });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    const float least = warpz::min_of(part);
    const auto found = std::find(part.begin(), part.end(), least);
    std::fill(out.begin(), out.end(), found == part.end() ? -1.0F : static_cast<float>(found - part.begin()));
  });
}

const warpz::puzzle definition = {
    .number = 17,
    .flag = "warp-min",
    .title = "Lane of the warp minimum",
    .kernel = "lane_of_warp_min",
    .summary = "the first lane with the warp's minimum (min)",
    .documented_blocks = 3,
    .documented_size = 80,
    .documented_input = input,
    .reference = reference,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
