// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warps' or blocks' parts of an array, for references: each works on its own consecutive elements, the last one
// perhaps on fewer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>

#include "puzzle/parts.hpp"
#include "puzzle/plan.hpp"

namespace warpz {

/// The part of the block of this number, from 0, where each has so many threads. There is such a block.
template <class Element>
std::span<Element> block_of(std::span<Element> x, std::size_t number, std::size_t threads) {
  const std::size_t begin = number * threads;
  return x.subspan(begin, std::min(threads, x.size() - begin));
}

/// Calls work(x, expected) with the part of each block of so many threads, on all cores and in any order.
template <class Work>
void for_each_block(std::span<const float> x, std::span<float> expected, std::size_t threads, const Work& work) {
  for_each_part(ceil_div(x.size(), threads), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t number = begin; number < end; ++number)
      work(block_of(x, number, threads), block_of(expected, number, threads));
  });
}

/// The same where each warp is for itself.
template <class Work>
void for_each_warp(std::span<const float> x, std::span<float> expected, std::size_t warp_size, const Work& work) {
  for_each_block(x, expected, warp_size, work);
}

/// Calls work(number) for each element of `expected` that takes a look at so many of the input, on all cores and in any
/// order.
template <class Work>
void for_each_result(std::span<float> expected, std::size_t inputs, const Work& work) {
  for_each_part(expected.size(), inputs, [&](std::size_t begin, std::size_t end) {
    for (std::size_t number = begin; number < end; ++number) expected[number] = work(number);
  });
}

/// As std::fmax, which is a call of a library for each number: the other one of a NaN.
inline float greater_of(float a, float b) { return a >= b || b != b ? a : b; }

/// The same with the lesser one.
inline float lesser_of(float a, float b) { return a <= b || b != b ? a : b; }

/// The greatest element of a part that has one, as fmax finds it: a NaN only where all are.
inline float greatest_of(std::span<const float> part) {
  return std::accumulate(part.begin(), part.end(), part.front(), greater_of);
}

/// The same with the least one.
inline float least_of(std::span<const float> part) {
  return std::accumulate(part.begin(), part.end(), part.front(), lesser_of);
}

}  // namespace warpz
