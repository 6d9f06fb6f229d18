// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <numeric>

#include "puzzle/warps.hpp"

namespace {

void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i + 1); });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size,
                       [](auto part, auto out) { std::partial_sum(part.begin(), part.end(), out.begin()); });
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& values,
                  warpz::magnitude_sums& sums) {
  return sums.of(warpz::block_of(x, i / values.warp_size, values.warp_size).first(i % values.warp_size + 1));
}

const warpz::puzzle definition = {
    .number = 9,
    .flag = "prefix-sum",
    .title = "Warp inclusive prefix sum",
    .kernel = "warp_inclusive_prefix_sum",
    .shared_kernel = "warp_inclusive_prefix_sum_shared",
    .tuned_kernel = "warp_inclusive_prefix_sum_tuned",
    .summary = "running sum of the warp (prefix_sum)",
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
};

}  // namespace

WARPZ_PUZZLE(definition);
