// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>
#include <numeric>

#include "puzzle/warps.hpp"

namespace {

constexpr std::size_t radius = 2;

/// Quarters from -6 to 9 in disorder: their sums are exact.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 19 % 61) / 4 - 6; });
}

/// From the left.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_result(expected, 1, [&](std::size_t i) {
    const std::size_t begin = i - std::min(i, radius), end = std::min(i + radius + 1, x.size());
    return std::accumulate(x.begin() + begin, x.begin() + end, 0.0F);
  });
}

const warpz::puzzle definition = {
    .number = 33,
    .flag = "barrier-stencil",
    .title = "Stencil with a barrier",
    .kernel = "sum_of_five",
    .summary = "sum of five neighbors, over all blocks (barrier)",
    .documented_blocks = 3,
    .documented_size = 250,
    .block_threads = 96,
    .documented_input = input,
    .reference = reference,
    .operations = 4,
};

}  // namespace

WARPZ_PUZZLE(definition);
