// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers whose sums do not depend on the order of additions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace exact_numbers {

/// Integers that wrap, and floats whose sums are exact.
template <class T>
std::vector<T> numbers(std::size_t size) {
  std::mt19937_64 random(size);
  std::vector<T> result;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t bits = random();
    result.push_back(std::is_floating_point<T>::value ? static_cast<T>(bits % 64) / 4 - 8 : static_cast<T>(bits));
  }
  return result;
}

template <class T>
T added(T a, T b) {
  if constexpr (std::is_integral<T>::value) {
    using word = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<word>(a) + static_cast<word>(b));
  } else {
    return a + b;
  }
}

}  // namespace exact_numbers
