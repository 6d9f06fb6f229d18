// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

/// Whole numbers from -5 to 5 in disorder, the pivot among them.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 7 % 11) - 5; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  const auto is_above = [pivot = values.pivot](float element) { return element > pivot; };
  warpz::for_each_warp(x, expected, values.warp_size, [is_above](auto part, auto out) {
    const auto above = static_cast<float>(std::count_if(part.begin(), part.end(), is_above));
    const float others = static_cast<float>(part.size()) - above;
    std::transform(part.begin(), part.end(), out.begin(),
                   [&](float element) { return is_above(element) ? above : others; });
  });
}

const warpz::puzzle definition = {
    .number = 19,
    .flag = "vote",
    .title = "Warp vote",
    .kernel = "warp_vote",
    .summary = "lanes on the same side of the pivot (vote)",
    .documented_blocks = 3,
    .documented_size = 80,
    .documented_pivot = -2.0F,
    .documented_input = input,
    .reference = reference,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
