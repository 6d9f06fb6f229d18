// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's own idea of the numbers that warp operations work on: their sum, the greater and the lesser of two, and
// values to try, extreme ones among them. Shares nothing with the device library: numbers of 16 bits are bits here,
// which are worked out in double.
#pragma once

#include <gtest/gtest.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#if defined(__HIP_PLATFORM_NVIDIA__) && !defined(__WARPZ_CPU__)
#include <cuda_bf16.h>
#elif defined(__WARPZ_CPU__)
#include <hip/hip_bf16.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "sampling.hpp"

namespace values {

using all_numbers = testing::Types<int, unsigned, long, unsigned long, long long, unsigned long long, float, double,
#if defined(__WARPZ_CPU__)
                                   __hip_bfloat16,
#elif defined(__HIP_PLATFORM_NVIDIA__)
                                   __nv_bfloat16,
#endif
                                   __half, hip_bfloat16>;
using numbers = types_to_test<all_numbers, testing::Types<int, unsigned long long, float, __half>>;

template <class T>
constexpr bool is_narrow = !std::is_arithmetic_v<T>;

/// Bits of the fraction, without the hidden one.
template <class T>
constexpr int fraction_bits = std::is_same_v<T, __half> ? 10 : 7;
template <class T>
constexpr int exponent_bias = std::is_same_v<T, __half> ? 15 : 127;

template <class T>
T of_bits(std::uint64_t bits) {
  T result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

template <class T>
std::uint64_t bits_of(const T& v) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  return bits;
}

/// Exactly.
template <class T>
double widen(const T& v) {
  if constexpr (!is_narrow<T>) {
    return static_cast<double>(v);
  } else {
    const int bits = static_cast<int>(bits_of(v));
    const int fraction = bits & ((1 << fraction_bits<T>)-1), exponent = (bits & 0x7fff) >> fraction_bits<T>;
    const double sign = bits >> 15 != 0 ? -1 : 1;
    if (exponent == 2 * exponent_bias<T> + 1) {
      return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
    }
    const int hidden = exponent != 0 ? 1 << fraction_bits<T> : 0;
    return std::copysign(
        std::ldexp(hidden + fraction, (exponent != 0 ? exponent : 1) - exponent_bias<T> - fraction_bits<T>), sign);
  }
}

/// To nearest, ties to even.
template <class T>
T narrow(double v) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::int64_t>(v));
  } else if constexpr (!is_narrow<T>) {
    return static_cast<T>(v);
  } else {
    const std::uint64_t sign = std::signbit(v) ? 0x8000 : 0;
    const int infinity = (2 * exponent_bias<T> + 1) << fraction_bits<T>;
    if (std::isnan(v)) return of_bits<T>(sign | static_cast<unsigned>(infinity) | 1u << (fraction_bits<T> - 1));
    if (v == 0) return of_bits<T>(sign);
    if (std::isinf(v)) return of_bits<T>(sign | static_cast<unsigned>(infinity));
    const int exponent = std::max(std::ilogb(v), 1 - exponent_bias<T>);
    // In units of the last place; nearbyint rounds as the processor does by default, to even.
    const double units = std::nearbyint(std::ldexp(std::fabs(v), fraction_bits<T> - exponent));
    const int magnitude = ((exponent + exponent_bias<T> - 1) << fraction_bits<T>)+static_cast<int>(units);
    return of_bits<T>(sign | static_cast<unsigned>(std::min(magnitude, infinity)));
  }
}

template <class T>
bool is_nan(const T& v) {
  return std::isnan(widen(v));
}

template <class T>
T plus(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using word = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<word>(a) + static_cast<word>(b));
  } else if constexpr (is_narrow<T>) {
    return narrow<T>(widen(a) + widen(b));
  } else {
    return a + b;
  }
}

template <class T>
T greater_of(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return a < b ? b : a;
  } else {
    return is_nan(a) || (!is_nan(b) && widen(b) > widen(a)) ? b : a;
  }
}

template <class T>
T lesser_of(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return b < a ? b : a;
  } else {
    return is_nan(a) || (!is_nan(b) && widen(b) < widen(a)) ? b : a;
  }
}

/// Bit for bit, but that a NaN is as good as another.
template <class T>
bool same(const T& a, const T& b) {
  if constexpr (std::is_integral_v<T>) {
    return a == b;
  } else {
    return bits_of(a) == bits_of(b) || (is_nan(a) && is_nan(b));
  }
}

/// Whether they are the same, where a zero's sign does not count.
template <class T>
bool same_extreme(const T& a, const T& b) {
  return same(a, b) || (widen(a) == 0 && widen(b) == 0);
}

inline std::uint64_t scrambled(std::uint64_t seed) {
  seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111eb;
  return seed ^ (seed >> 31);
}

/// Sorts of values, each for a whole block.
enum class sort { usual, extreme, negative_zero, nothing_but_nan, one_nan, infinite };
constexpr sort sorts[] = {sort::usual,           sort::extreme, sort::negative_zero,
                          sort::nothing_but_nan, sort::one_nan, sort::infinite};

/// The value of a thread. Of the usual ones integers range over their whole type, so that sums wrap, and floats over
/// several magnitudes, so that each order of additions rounds differently.
template <class T>
T value(sort which, unsigned thread) {
  const std::uint64_t random = scrambled(thread * 977u + 31337u * static_cast<unsigned>(which) + 1);
  if constexpr (std::is_integral_v<T>) {
    const T extremes[] = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T{0}, static_cast<T>(-1), T{1}};
    return which == sort::usual ? static_cast<T>(random) : extremes[random % (which == sort::extreme ? 5 : 2)];
  } else {
    const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const double magnitudes[] = {1e-3, 1.0, 30.0, 1e3};
    const double fraction = static_cast<double>(static_cast<std::int64_t>(random)) * 0x1p-63;
    const T usual = narrow<T>(fraction * magnitudes[random & 3]);
    switch (which) {
      case sort::usual:
        return usual;
      case sort::extreme: {
        // Among them the least and the greatest that there are: the bits 1, and those before infinity's.
        const T infinite = narrow<T>(infinity);
        const T extremes[] = {of_bits<T>(1), of_bits<T>(bits_of(infinite) - 1), narrow<T>(-0.0), narrow<T>(1), usual};
        return extremes[random % 5];
      }
      case sort::negative_zero:
        return narrow<T>(-0.0);
      case sort::nothing_but_nan:
        return narrow<T>(nan);
      case sort::one_nan:
        return thread % 37 == 9 ? narrow<T>(nan) : usual;
      default:
        return thread % 29 == 3 ? narrow<T>(thread % 2 == 0 ? infinity : -infinity) : usual;
    }
  }
}

/// Neighbours first: pairs, then pairs of pairs. One without a partner goes on as it is.
template <class T, class Combine>
T tree(std::vector<T> list, Combine combine) {
  while (list.size() > 1) {
    std::vector<T> next;
    for (std::size_t i = 0; i < list.size(); i += 2) {
      next.push_back(i + 1 < list.size() ? combine(list[i], list[i + 1]) : list[i]);
    }
    list = next;
  }
  return list[0];
}

/// All lanes' scans: in rows of 16 by strides 1, 2, 4, 8; then the row before, then the half before.
template <class T, class Combine>
std::vector<T> scan(std::vector<T> list, Combine combine) {
  const auto join = [&](std::size_t row, std::size_t lane, std::size_t other) {
    if (lane >= row) list[lane] = combine(list[other], list[lane]);
  };
  for (std::size_t stride = 1; stride < 16; stride *= 2) {
    // Downwards, so that what is read is still the step before's.
    for (std::size_t lane = list.size(); lane-- > 0;) {
      if (lane % 16 >= stride) join(0, lane, lane - stride);
    }
  }
  for (std::size_t lane = 0; lane < list.size(); ++lane) {
    if (lane / 16 % 2 == 1) join(16, lane, lane / 16 * 16 - 1);
  }
  for (std::size_t lane = 32; lane < list.size(); ++lane) join(32, lane, 31);
  return list;
}

}  // namespace values
