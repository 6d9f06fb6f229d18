// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

constexpr unsigned block_threads = 96;

/// Whole numbers from -33 to 33 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>((i * i * 3 + i * 5) % 67) - 33; });
}

/// Each element and the one half a ring further on, in a ring of the block's elements.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_block(x, expected, block_threads, [](auto part, auto out) {
    std::rotate_copy(part.begin(), part.begin() + part.size() / 2, part.end(), out.begin());
    std::transform(out.begin(), out.end(), part.begin(), out.begin(), [](float a, float b) { return a - b; });
  });
}

const warpz::puzzle definition = {
    .number = 40,
    .flag = "waitcnt",
    .title = "Wait counts",
    .kernel = "across_the_ring",
    .summary = "a barrier that waits for LDS only (waitcnt)",
    .documented_blocks = 2,
    .documented_size = 192,
    .block_threads = block_threads,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
