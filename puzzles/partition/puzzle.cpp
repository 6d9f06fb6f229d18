// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>
#include <iterator>

#include "puzzle/warps.hpp"

namespace {

void input(std::span<float> x, unsigned /*warp_size*/) {
  constexpr float pattern[] = {3, 7, 1, 8, 2, 9, 4, 6, 0, 10, 3, 11, 1, 12, 4, 13};
  warpz::fill_each(x, [&](std::size_t i) { return pattern[i % std::size(pattern)]; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  const auto goes_left = [pivot = values.pivot](float element) { return element < pivot; };
  warpz::for_each_warp(x, expected, values.warp_size, [goes_left](auto part, auto out) {
    const auto boundary = std::copy_if(part.begin(), part.end(), out.begin(), goes_left);
    std::remove_copy_if(part.begin(), part.end(), boundary, goes_left);
  });
}

const warpz::puzzle definition = {
    .number = 10,
    .flag = "partition",
    .title = "Warp partition",
    .kernel = "warp_partition",
    .tuned_kernel = "warp_partition_tuned",
    .summary = "smaller ones to the left (prefix_sum, xor)",
    .style = warpz::list_style::host_buffer,
    .documented_pivot = 5.0F,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);
