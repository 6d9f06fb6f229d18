// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

/// Whole numbers from -6 to 6 in disorder, the pivot among them.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 5 % 13) - 6; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  const auto is_kept = [pivot = values.pivot](float element) { return element > pivot; };
  warpz::for_each_warp(x, expected, values.warp_size, [is_kept](auto part, auto out) {
    std::fill(std::copy_if(part.begin(), part.end(), out.begin(), is_kept), out.end(), 0.0F);
  });
}

const warpz::puzzle definition = {
    .number = 21,
    .flag = "stream-compaction",
    .title = "Warp stream compaction",
    .kernel = "warp_stream_compaction",
    .summary = "only those above the pivot, in front (vote)",
    .documented_blocks = 3,
    .documented_size = 80,
    .documented_pivot = -1.0F,
    .documented_input = input,
    .reference = reference,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);
