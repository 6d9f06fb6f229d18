// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warps' parts of an array, for references: each warp works on its own consecutive elements, the last one
// perhaps on fewer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace warpz {

/// Calls work(x, expected) with the part of each warp, from the first to the last.
template <class Work>
void for_each_warp(std::span<const float> x, std::span<float> expected, std::size_t warp_size, Work work) {
  for (std::size_t begin = 0; begin < x.size(); begin += warp_size) {
    const std::size_t length = std::min(warp_size, x.size() - begin);
    work(x.subspan(begin, length), expected.subspan(begin, length));
  }
}

}  // namespace warpz
