// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>
#include <cmath>

#include "puzzle/warps.hpp"

namespace {

/// Whole numbers from -20 to 20 in disorder, each of them twice and more: equal ones need no order.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 15 % 41) - 20; });
}

bool comes_before(float a, float b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    std::copy(part.begin(), part.end(), out.begin());
    std::sort(out.begin(), out.end(), comes_before);
  });
}

const warpz::puzzle definition = {
    .number = 49,
    .flag = "quicksort",
    .title = "Warp quicksort",
    .kernel = "warp_quicksort",
    .summary = "sort by pivots, all segments at once (vote)",
    .documented_blocks = 4,
    .documented_size = 100,
    .documented_input = input,
    .reference = reference,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
