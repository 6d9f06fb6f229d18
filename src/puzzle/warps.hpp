// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warps' or blocks' parts of an array, for references: each works on its own consecutive elements, the last one
// perhaps on fewer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace warpz {

/// Calls work(x, expected) with the part of each block of so many threads, from the first to the last.
template <class Work>
void for_each_block(std::span<const float> x, std::span<float> expected, std::size_t threads, Work work) {
  for (std::size_t begin = 0; begin < x.size(); begin += threads) {
    const std::size_t length = std::min(threads, x.size() - begin);
    work(x.subspan(begin, length), expected.subspan(begin, length));
  }
}

/// The same where each warp is for itself.
template <class Work>
void for_each_warp(std::span<const float> x, std::span<float> expected, std::size_t warp_size, Work work) {
  for_each_block(x, expected, warp_size, work);
}

}  // namespace warpz
