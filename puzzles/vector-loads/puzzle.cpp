// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/warps.hpp"

namespace {

constexpr std::size_t group = 4;

/// Quarters from -20 to 32 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 89 % 211) / 4 - 20; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_block(x, expected, group, [](auto part, auto out) {
    const float least = warpz::min_of(part);
    for (std::size_t i = 0; i < part.size(); ++i) out[i] = part[i] - least;
  });
}

const warpz::puzzle definition = {
    .number = 56,
    .flag = "vector-loads",
    .title = "Vector loads",
    .kernel = "above_least_of_four",
    .summary = "distance to the least of four (vector access)",
    .documented_blocks = 2,
    .documented_size = 500,
    .block_threads = 64,
    .elements_per_thread = 4,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
