// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <cmath>
#include <numeric>

#include "puzzle/warps.hpp"

namespace {

constexpr double relative_tolerance = 1e-5;

void input(std::span<float> x, unsigned /*warp_size*/) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i + 1);
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& with) {
  warpz::for_each_warp(x, expected, with.warp_size,
                       [](auto part, auto out) { std::partial_sum(part.begin(), part.end(), out.begin()); });
}

/// A scan may round in its own order, so what is allowed grows with the magnitudes that were added, not with
/// their sum.
double tolerance(std::span<const float> x, std::span<const float> /*expected*/, std::size_t i,
                 const warpz::parameters& with) {
  double magnitudes = 0;
  for (std::size_t k = i - i % with.warp_size; k <= i; ++k) magnitudes += std::fabs(static_cast<double>(x[k]));
  return relative_tolerance * magnitudes;
}

constexpr warpz::puzzle definition = {
    .number = 9,
    .flag = "prefix-sum",
    .title = "Warp inclusive prefix sum",
    .kernel = "warp_inclusive_prefix_sum",
    .shared_kernel = "warp_inclusive_prefix_sum_shared",
    .summary = "running sum of the warp (prefix_sum)",
    .documented_input = input,
    .reference = reference,
    .tolerance = tolerance,
};

}  // namespace

WARPZ_PUZZLE(definition);
