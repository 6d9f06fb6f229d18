// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of the puzzles' references share: a reference by its flag, and lists of one and two warps.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/comparison.hpp"
#include "puzzle/puzzle.hpp"
#include "puzzle/random.hpp"

namespace reference_support {

using list = std::vector<float>;

inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
inline constexpr float infinity = std::numeric_limits<float>::infinity();

inline list expected(std::string_view flag, const list& x, unsigned warp_size = 32, float pivot = 5) {
  const warpz::puzzle* const found = warpz::find_puzzle(flag);
  if (found == nullptr) {
    ADD_FAILURE() << "there is no puzzle " << flag;
    return {};
  }
  list result(x.size(), -12345.0f);
  found->reference(x, result, {warp_size, pivot});
  return result;
}

inline list random_numbers(std::size_t size, std::uint64_t seed = 1) {
  list x(size);
  warpz::fill_random(x, seed);
  return x;
}

/// `short_list`, with zeros behind it up to a whole warp of 32, and then `next`.
inline list in_two_warps(list short_list, const list& next) {
  short_list.resize(32, 0.0f);
  short_list.insert(short_list.end(), next.begin(), next.end());
  return short_list;
}

inline list slice(const list& whole, std::size_t begin, std::size_t end) {
  return {whole.begin() + begin, whole.begin() + end};
}

/// Calls check(elements of a warp, what belongs in their places) for each warp of random arrays of many sizes. Their
/// sums are exact.
template <class Check>
void on_random_data(std::string_view flag, Check check) {
  for (const unsigned warp_size : {32U, 64U}) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{warp_size - 1}, std::size_t{warp_size},
                                   std::size_t{warp_size + 1}, std::size_t{3 * warp_size + 5}, std::size_t{1000}}) {
      const list x = random_numbers(size, size);
      const list out = expected(flag, x, warp_size);
      for (std::size_t first = 0; first < size; first += warp_size) {
        const std::size_t end = std::min<std::size_t>(first + warp_size, size);
        SCOPED_TRACE("size " + std::to_string(size) + ", warp from " + std::to_string(first));
        check(slice(x, first, end), slice(out, first, end));
      }
    }
  }
}

}  // namespace reference_support
