// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/warps.hpp"

namespace {

constexpr std::size_t tile = 64;
constexpr std::size_t tiles_of_a_block = 5;

/// Whole numbers from -30 to 42 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>((i * i * 7 + i * 3) % 73) - 30; });
}

/// The element and its mirror image in its tile. The input has zeros behind its end, up to the end of its last tile.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_result(expected, 1, [&](std::size_t i) {
    const std::size_t place = i % tile;
    return x[i] + x[i - place + (tile - 1 - place)];
  });
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  warpz::plan result = warpz::plan_in_blocks(size, tile, tile * tiles_of_a_block);
  result.inputs = {warpz::ceil_div(size, tile) * tile};
  return result;
}

const warpz::puzzle definition = {
    .number = 36,
    .flag = "mbarrier-pipeline",
    .title = "Pipeline with mbarriers",
    .kernel = "mirrored_tiles",
    .summary = "load a tile while working on another (mbarrier)",
    .documented_size = 384,
    .block_threads = tile,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
