// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What puzzles add up, for the comparison of results that round.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace warpz {

/// The elements' magnitudes, together.
inline double magnitudes_of(std::span<const float> elements) {
  double sum = 0;
  for (const float element : elements) sum += std::fabs(static_cast<double>(element));
  return sum;
}

/// The same of fractions of the elements. Those below the least normal float have fewer digits, so none counts as less.
inline double magnitudes_of_fractions(std::span<const float> elements) {
  constexpr double least = std::numeric_limits<float>::min();
  double sum = 0;
  for (const float element : elements) sum += std::max(std::fabs(static_cast<double>(element)), least);
  return sum;
}

}  // namespace warpz
