// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

constexpr std::size_t summed_elements = 4;

void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i + 1); });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    float sum = 0;
    for (const float element : part.first(std::min(summed_elements, part.size()))) sum += element;
    std::transform(part.begin(), part.end(), out.begin(), [sum](float element) { return sum + element; });
  });
}

const warpz::puzzle definition = {
    .number = 3,
    .flag = "broadcast-basic",
    .title = "Basic broadcast",
    .kernel = "basic_broadcast",
    .shared_kernel = "basic_broadcast_shared",
    .tuned_kernel = "basic_broadcast_tuned",
    .summary = "add the block's first four (broadcast)",
    .style = warpz::list_style::host_buffer,
    .independent_warps = false,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
