// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <cmath>
#include <numeric>

#include "puzzle/warps.hpp"

namespace {

constexpr double relative_tolerance = 1e-5;

/// Whole numbers from -11 to 17 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 17 + 3) % 29) - 11;
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& with) {
  warpz::for_each_warp(x, expected, with.warp_size,
                       [](auto part, auto out) { std::exclusive_scan(part.begin(), part.end(), out.begin(), 0.0F); });
}

/// A scan may round in its own order, so what is allowed grows with the magnitudes that were added, not with
/// their sum.
double tolerance(std::span<const float> x, std::span<const float> /*expected*/, std::size_t i,
                 const warpz::parameters& with) {
  double magnitudes = 0;
  for (std::size_t k = i - i % with.warp_size; k < i; ++k) magnitudes += std::fabs(static_cast<double>(x[k]));
  return relative_tolerance * magnitudes;
}

constexpr warpz::puzzle definition = {
    .number = 18,
    .flag = "exclusive-scan",
    .title = "Warp exclusive prefix sum",
    .kernel = "warp_exclusive_prefix_sum",
    .summary = "sum of the elements before (prefix_sum)",
    .documented_blocks = 3,
    .documented_size = 80,
    .documented_input = input,
    .reference = reference,
    .tolerance = tolerance,
};

}  // namespace

WARPZ_PUZZLE(definition);
