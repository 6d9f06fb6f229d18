// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>
#include <cmath>

#include "puzzle/warps.hpp"

namespace {

/// Whole numbers from -36 to 36 in disorder; from the 74th on they come again.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 31 % 73) - 36; });
}

bool comes_before(float a, float b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    std::copy(part.begin(), part.end(), out.begin());
    std::stable_sort(out.begin(), out.end(), comes_before);
  });
}

const warpz::puzzle definition = {
    .number = 22,
    .flag = "bitonic-sort",
    .title = "Warp bitonic sort",
    .kernel = "warp_bitonic_sort",
    .summary = "sort by a butterfly network (shuffle_xor)",
    .documented_blocks = 3,
    .documented_size = 80,
    .documented_input = input,
    .reference = reference,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
