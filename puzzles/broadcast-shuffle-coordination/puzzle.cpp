// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>
#include <iterator>

#include "puzzle/warps.hpp"

namespace {

constexpr std::size_t averaged_elements = 4;

/// 2, 4, 6, 8 and then 1, 3, 5, 7 again and again.
void input(std::span<float> x, unsigned /*warp_size*/) {
  constexpr float first[] = {2, 4, 6, 8};
  constexpr float pattern[] = {1, 3, 5, 7};
  warpz::fill_each(x, [&](std::size_t i) { return i < std::size(first) ? first[i] : pattern[i % std::size(pattern)]; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    float sum = 0;
    for (const float element : part.first(std::min(averaged_elements, part.size()))) sum += element;
    const float mean = sum / averaged_elements;  // of four, also where there are fewer
    for (std::size_t i = 1; i < part.size(); ++i) out[i - 1] = (part[i - 1] + part[i]) * mean;
    out.back() = part.back() * mean;
  });
}

const warpz::puzzle definition = {
    .number = 5,
    .flag = "broadcast-shuffle-coordination",
    .title = "Broadcast + Shuffle coordination",
    .kernel = "broadcast_shuffle_coordination",
    .tuned_kernel = "broadcast_shuffle_coordination_tuned",
    .summary = "neighbor sums scaled by a mean (both)",
    .style = warpz::list_style::host_buffer,
    .independent_warps = false,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
