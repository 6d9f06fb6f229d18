// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/warps.hpp"

namespace {

constexpr std::size_t side = 32, tile = side * side;
constexpr unsigned block_threads = 256;

/// Whole numbers from -500 to 508 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 277 % 1009) - 500; });
}

/// What a tile lacks at the array's end counts as 0.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_result(expected, 1, [&](std::size_t i) {
    const std::size_t row = i % tile / side, column = i % side;
    const std::size_t from = i / tile * tile + column * side + row;
    return from < x.size() ? x[from] : 0.0F;
  });
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  return warpz::plan_in_blocks(size, block_threads, tile);
}

const warpz::puzzle definition = {
    .number = 55,
    .flag = "padded-transpose",
    .title = "Padded transpose",
    .kernel = "padded_transpose",
    .summary = "a tile's rows become columns, padded (barrier)",
    .documented_size = 1100,
    .block_threads = block_threads,
    .tile = tile,
    .independent_warps = false,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
