// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of an array that warps or blocks work on, for references: consecutive elements, perhaps fewer for the last
// one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>

#include "puzzle/parts.hpp"
#include "puzzle/plan.hpp"

namespace warpz {

/// The part of block `number`, counted from 0, where each block has so many threads. The block has to exist.
template <class Element>
std::span<Element> block_of(std::span<Element> x, std::size_t number, std::size_t threads) {
  const std::size_t begin = number * threads;
  return x.subspan(begin, std::min(threads, x.size() - begin));
}

/// Calls work(x, expected) with the parts of each block of so many threads, on all cores and in any order.
template <class Work>
void for_each_block(std::span<const float> x, std::span<float> expected, std::size_t threads, const Work& work) {
  for_each_part(ceil_div(x.size(), threads), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t number = begin; number < end; ++number)
      work(block_of(x, number, threads), block_of(expected, number, threads));
  });
}

/// Calls work(x, expected) with the parts of each warp, on all cores and in any order.
template <class Work>
void for_each_warp(std::span<const float> x, std::span<float> expected, std::size_t warp_size, const Work& work) {
  for_each_block(x, expected, warp_size, work);
}

/// Sets each element of `expected` to work(number), which reads about `inputs` elements of the input, on all cores and
/// in any order.
template <class Work>
void for_each_result(std::span<float> expected, std::size_t inputs, const Work& work) {
  for_each_part(expected.size(), inputs, [&](std::size_t begin, std::size_t end) {
    for (std::size_t number = begin; number < end; ++number) expected[number] = work(number);
  });
}

/// The maximum of two numbers as std::fmax has it, without a call of a library: where one is a NaN, the other one.
inline float max(float a, float b) { return a >= b || b != b ? a : b; }

/// The minimum of two numbers as std::fmin has it: where one is a NaN, the other one.
inline float min(float a, float b) { return a <= b || b != b ? a : b; }

/// The maximum of a part that is not empty: a NaN only where all are.
inline float max_of(std::span<const float> part) {
  return std::accumulate(part.begin(), part.end(), part.front(), max);
}

/// The minimum of a part that is not empty: a NaN only where all are.
inline float min_of(std::span<const float> part) {
  return std::accumulate(part.begin(), part.end(), part.front(), min);
}

}  // namespace warpz
