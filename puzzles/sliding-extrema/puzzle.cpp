// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

constexpr std::size_t window = 8;

/// Whole numbers from -44 to 44 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 38 % 89) - 44; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto seen = part.subspan(i, std::min(window, part.size() - i));
      out[i] = warpz::max_of(seen) - warpz::min_of(seen);
    }
  });
}

const warpz::puzzle definition = {
    .number = 50,
    .flag = "sliding-extrema",
    .title = "Sliding extrema",
    .kernel = "sliding_extrema",
    .summary = "range of the next eight (shuffle_down, doubled)",
    .documented_blocks = 3,
    .documented_size = 90,
    .documented_input = input,
    .reference = reference,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
