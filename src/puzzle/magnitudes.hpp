// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What puzzles add up, for the comparison of results that round.
#pragma once

#include <cmath>
#include <span>

namespace warpz {

/// The elements' magnitudes, together.
inline double magnitudes_of(std::span<const float> elements) {
  double sum = 0;
  for (const float element : elements) sum += std::fabs(static_cast<double>(element));
  return sum;
}

}  // namespace warpz
