// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace {

/// Six warps of 32 lanes, or three of 64, and a quarter of one or an eighth.
constexpr std::size_t block_threads = 200;

/// Whole numbers from 3 to 511 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 37 + 150) % 509) + 3;
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*with*/) {
  for (std::size_t block = 0; block < expected.size(); ++block) {
    const std::size_t first = block * block_threads;
    const auto part = x.subspan(first, std::min(block_threads, x.size() - first));
    expected[block] =
        std::accumulate(part.begin(), part.end(), part.front(), [](float a, float b) { return std::fmin(a, b); });
  }
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*with*/) {
  const auto blocks = static_cast<std::uint32_t>((size + block_threads - 1) / block_threads);
  warpz::plan made;
  made.output = blocks;
  made.inputs = {size};
  made.counts = {static_cast<std::int32_t>(size)};
  made.grid = {blocks, 1};
  made.block = {block_threads, 1};
  made.element_per_thread = false;
  return made;
}

constexpr warpz::puzzle definition = {
    .number = 26,
    .flag = "block-min",
    .title = "Block minimum",
    .kernel = "block_min",
    .summary = "one number a block, its minimum (block::min)",
    .documented_size = 500,
    .block_threads = block_threads,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
