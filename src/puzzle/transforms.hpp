// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms that more than one puzzle's reference needs.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

namespace warpz {

/// Element k is the sum of all elements, each subtracted where its number and k have an odd number of bits in common.
/// The numbers that it lacks to a power of two count as 0.
inline void walsh_transform(std::span<const float> x, std::span<float> transformed) {
  std::vector<float> sums(x.begin(), x.end());
  sums.resize(std::bit_ceil(x.size()));
  for (std::size_t distance = 1; distance < sums.size(); distance *= 2) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if ((i & distance) != 0) continue;
      const float lower = sums[i], upper = sums[i + distance];
      sums[i] = lower + upper;
      sums[i + distance] = lower - upper;
    }
  }
  std::copy_n(sums.begin(), transformed.size(), transformed.begin());
}

}  // namespace warpz
