// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>
#include <iterator>

#include "puzzle/warps.hpp"

namespace {

constexpr std::size_t compared_elements = 8;

void input(std::span<float> x, unsigned /*warp_size*/) {
  constexpr float pattern[] = {3, 1, 7, 2, 9, 4, 6, 8};
  warpz::fill_each(x, [&](std::size_t i) { return pattern[i % std::size(pattern)]; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    const auto compared = part.first(std::min(compared_elements, part.size()));
    const float threshold = *std::max_element(compared.begin(), compared.end()) / 2;
    std::transform(part.begin(), part.end(), out.begin(),
                   [threshold](float element) { return element >= threshold ? element * 2 : element / 2; });
  });
}

const warpz::puzzle definition = {
    .number = 4,
    .flag = "broadcast-conditional",
    .title = "Conditional broadcast",
    .kernel = "conditional_broadcast",
    .tuned_kernel = "conditional_broadcast_tuned",
    .summary = "double or halve by a maximum (broadcast)",
    .style = warpz::list_style::host_buffer,
    .independent_warps = false,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
