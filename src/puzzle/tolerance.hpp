// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a sum of floats may be from its reference.
#pragma once

#include <cmath>
#include <span>

namespace warpz {

/// Of the magnitudes that are added.
inline constexpr double relative_tolerance = 1e-5;

/// What a sum of these elements may be off. A kernel may add them in its own order and round in its own places, so what
/// is allowed grows with the magnitudes that were added, not with their sum.
inline double tolerance_of_sum(std::span<const float> elements) {
  double magnitudes = 0;
  for (const float element : elements) magnitudes += std::fabs(static_cast<double>(element));
  return relative_tolerance * magnitudes;
}

}  // namespace warpz
