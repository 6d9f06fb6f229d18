// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

constexpr unsigned tile = 64;
constexpr unsigned tiles_of_a_block = 4;

/// Halves from -9 to 32 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 29 % 83) / 2 - 9; });
}

/// How many elements of the tile are less.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_block(x, expected, tile, [](auto part, auto out) {
    std::transform(part.begin(), part.end(), out.begin(), [part](float own) {
      return static_cast<float>(std::count_if(part.begin(), part.end(), [own](float other) { return other < own; }));
    });
  });
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  // One thread for each place of the tile produces, another one consumes.
  return warpz::plan_in_blocks(size, 2 * tile, tile * tiles_of_a_block);
}

const warpz::puzzle definition = {
    .number = 35,
    .flag = "named-barrier",
    .title = "Named barriers",
    .kernel = "ranks_in_tiles",
    .summary = "producer and consumer warps (named_barrier)",
    .documented_size = 300,
    .block_threads = 2 * tile,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
