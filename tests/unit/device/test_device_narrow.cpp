// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of warpz/device.hpp on integers of 8 and 16 bits, halves and bfloat16, against plain loops.
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "covers.hpp"
#include "test_block_support.hpp"
#include "whole_arrays.hpp"

namespace test_device_narrow {

using blocks::array;
using namespace whole_arrays;

template <class T>
constexpr bool is_float = !std::is_integral_v<T>;

/// A number as the host computes with it. All that the tests have are exact in each type.
template <class T>
int value(T x) {
  if constexpr (is_float<T>) {
    return static_cast<int>(static_cast<float>(x));
  } else {
    return static_cast<int>(x);
  }
}

template <class T, class Number>
T element(Number x) {
  if constexpr (is_float<T>) {
    return static_cast<T>(static_cast<float>(x));
  } else {
    return static_cast<T>(x);
  }
}

/// Integers of all values, whose sums wrap; floats that come in pairs, so that no sum from the start is large.
template <class T>
std::vector<T> numbers(std::size_t size) {
  std::vector<T> all;
  std::mt19937 random(static_cast<unsigned>(size));
  for (std::size_t i = 0; i < size; ++i) {
    const int drawn = static_cast<int>(random() >> 8);
    all.push_back(!is_float<T> ? element<T>(drawn) : element<T>(i % 2 == 0 ? drawn % 120 : -value(all[i - 1])));
  }
  return all;
}

std::vector<std::size_t> sizes(std::size_t tile) {
  return {1, 7, 8, 9, 15, 16, 17, 259, tile - 1, tile, 2 * tile + 37};
}

/// Floats of all bits, which no integer is: infinities, NaNs, both zeros, subnormal numbers.
template <class T>
std::vector<T> any_bits(std::size_t size) {
  std::vector<T> all(size);
  std::mt19937 random(static_cast<unsigned>(size) + 1);
  for (T& each : all) {
    const unsigned bits = random() >> 8;
    std::memcpy(&each, &bits, sizeof each);
  }
  return all;
}

/// Of both signs, and from a 1,024th to 16 in size: many of the bits of their sums are behind those of either.
template <class T>
std::vector<T> scattered(std::size_t size) {
  std::vector<T> all;
  std::mt19937 random(static_cast<unsigned>(size) + 2);
  for (std::size_t i = 0; i < size; ++i) {
    const float fraction = static_cast<float>(random() >> 20) / 4096 - 0.5F;
    all.push_back(static_cast<T>(std::ldexp(fraction, static_cast<int>(random() % 14) - 9)));
  }
  return all;
}

template <class T>
class device_narrow : public testing::Test {};
using types =
    types_to_test<testing::Types<signed char, unsigned char, std::int16_t, std::uint16_t, __half, hip_bfloat16>,
                  testing::Types<signed char, std::uint16_t, __half, hip_bfloat16>>;
TYPED_TEST_SUITE(device_narrow, types, );

TYPED_TEST(device_narrow, reductions) {
  using T = TypeParam;
  covers("device::sum device::max device::min", blocks::warp_sizes());
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const std::size_t size : sizes(warpz::detail::tile_elements<T, warpz::detail::reduce_rows>)) {
      const std::vector<T> x = numbers<T>(size);
      int sum = 0, greatest = value(x[0]), least = value(x[0]);
      for (const T each : x) {
        sum += value(each);
        greatest = std::max(greatest, value(each));
        least = std::min(least, value(each));
      }
      array<unsigned> one(device::reduce_state<T>(size)), two(device::reduce_state<T>(size)),
          three(device::reduce_state<T>(size));
      for (const unsigned grid : {device::reduce_blocks<T>(size), 1U}) {
        array<T> input(x), output(3, element<T>(99));
        hipLaunchKernelGGL(reduce<T>, dim3(grid), dim3(device::block_threads), 0, nullptr, output.data(),
                           static_cast<const T*>(input.data()), one.data(), two.data(), three.data(), size);
        blocks::finish();
        const std::vector<T> expected{element<T>(sum), element<T>(greatest), element<T>(least)};
        ASSERT_TRUE(are_same(output.values(), expected)) << size << " elements, " << grid << " blocks, of " << W << ": "
                                                         << value(output.values()[0]) << " for " << sum;
      }
    }
  }
}

TYPED_TEST(device_narrow, extremes_of_any_floats) {
  using T = TypeParam;
  if (!is_float<T>) return;
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{5000}}) {
      // With and without infinities, and NaNs alone.
      for (const unsigned kind : {0U, 1U, 2U}) {
        std::vector<T> x = any_bits<T>(size);
        for (T& each : x) {
          if (kind == 1 && std::isinf(static_cast<float>(each))) each = element<T>(1);
          if (kind == 2) each = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
        }
        float greatest = std::numeric_limits<float>::quiet_NaN(), least = greatest;
        for (const T each : x) {
          const auto number = static_cast<float>(each);
          // To the C library's fmax, a signaling NaN is not missing.
          if (std::isnan(number)) continue;
          greatest = std::fmax(greatest, number);
          least = std::fmin(least, number);
        }
        array<unsigned> one(device::reduce_state<T>(size)), two(device::reduce_state<T>(size)),
            three(device::reduce_state<T>(size));
        array<T> input(x), output(3);
        hipLaunchKernelGGL(reduce<T>, dim3(1), dim3(device::block_threads), 0, nullptr, output.data(),
                           static_cast<const T*>(input.data()), one.data(), two.data(), three.data(), size);
        blocks::finish();
        const float found[] = {static_cast<float>(output.values()[1]), static_cast<float>(output.values()[2])};
        const float expected[] = {greatest, least};
        for (unsigned i = 0; i < 2; ++i) {
          ASSERT_TRUE(found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i])))
              << found[i] << " for " << expected[i] << ", " << size << " elements, kind " << kind << ", lanes " << W;
        }
      }
    }
  }
}

/// 4,096 ones, and as many twos: what a half or a bfloat16 can hold, but not count up to.
TYPED_TEST(device_narrow, sums_are_rounded_once) {
  using T = TypeParam;
  if (!is_float<T>) return;
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    std::vector<T> x(4096, element<T>(1));
    x.resize(8192, element<T>(2));
    array<unsigned> state(device::reduce_state<T>(x.size())), other(device::scan_state<T>(x.size()));
    array<T> input(x), output(x.size());
    hipLaunchKernelGGL(reduce<T>, dim3(1), dim3(device::block_threads), 0, nullptr, output.data(),
                       static_cast<const T*>(input.data()), state.data(), other.data(), other.data(), x.size());
    blocks::finish();
    ASSERT_EQ(value(output.values()[0]), 12288);
    array<unsigned> fresh(device::scan_state<T>(x.size()));
    hipLaunchKernelGGL((scan<false, T>), dim3(1), dim3(device::block_threads), 0, nullptr, output.data(),
                       static_cast<const T*>(input.data()), fresh.data(), x.size());
    blocks::finish();
    ASSERT_EQ(value(output.values()[4095]), 4096);
    ASSERT_EQ(value(output.values()[8191]), 12288);
  }
}

/// A float's error in an addition, and that of the last rounding, relative to what is rounded.
template <class T>
double tolerance(double of_sizes, double result) {
  const double bits = std::is_same_v<T, __half> ? 11 : 8;
  return 100 * std::ldexp(of_sizes, -24) + std::ldexp(std::fabs(result), static_cast<int>(-bits)) + 1e-7;
}

TYPED_TEST(device_narrow, scans) {
  using T = TypeParam;
  covers("device::prefix_sum", blocks::warp_sizes());
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    constexpr unsigned tile = warpz::detail::tile_elements<T, warpz::detail::scan_rows>;
    // One of them with more tiles than a group of the look-back has.
    std::vector<std::size_t> scanned_sizes = sizes(tile);
    if (sizeof(T) == 2 && W == 32) scanned_sizes.push_back(33 * tile + 7);
    array<unsigned> state(device::scan_state<T>(scanned_sizes.back()));
    for (const std::size_t size : scanned_sizes) {
      const std::vector<T> x = numbers<T>(size);
      std::vector<T> inclusive, exclusive;
      int sum = 0;
      for (const T each : x) {
        exclusive.push_back(element<T>(sum));
        inclusive.push_back(element<T>(sum += value(each)));
      }
      for (const unsigned grid : {device::blocks_for<T>(size), 1U}) {
        const std::vector<T> found = scanned<false>(x, grid, state), before = scanned<true>(x, grid, state);
        for (std::size_t i = 0; i < size; ++i) {
          ASSERT_EQ(value(found[i]), value(inclusive[i])) << "element " << i << " of " << size << ", lanes " << W;
          ASSERT_EQ(value(before[i]), value(exclusive[i])) << "element " << i << " of " << size << ", lanes " << W;
        }
      }
    }
  }
}

/// Behind each addition to a half, these would be off by a hundredth.
TYPED_TEST(device_narrow, sums_of_scattered_floats) {
  using T = TypeParam;
  if constexpr (is_float<T>) {
    for (const unsigned W : blocks::warp_sizes()) {
      blocks::use_warp_size(W);
      for (const std::size_t size : {std::size_t{1000}, std::size_t{50001}}) {
        const std::vector<T> x = scattered<T>(size);
        array<unsigned> one(device::reduce_state<T>(size)), two(device::reduce_state<T>(size)),
            three(device::reduce_state<T>(size)), state(device::scan_state<T>(size));
        array<T> input(x), output(3);
        hipLaunchKernelGGL(reduce<T>, dim3(2), dim3(device::block_threads), 0, nullptr, output.data(),
                           static_cast<const T*>(input.data()), one.data(), two.data(), three.data(), size);
        blocks::finish();
        const std::vector<T> found = scanned<false>(x, 3, state), before = scanned<true>(x, 3, state);
        double sum = 0, of_sizes = 0;
        for (std::size_t i = 0; i < size; ++i) {
          ASSERT_NEAR(static_cast<float>(before[i]), sum, tolerance<T>(of_sizes, sum)) << i << " of " << size;
          sum += static_cast<double>(static_cast<float>(x[i]));
          of_sizes += std::fabs(static_cast<double>(static_cast<float>(x[i])));
          ASSERT_NEAR(static_cast<float>(found[i]), sum, tolerance<T>(of_sizes, sum)) << i << " of " << size;
        }
        ASSERT_NEAR(static_cast<float>(output.values()[0]), sum, tolerance<T>(of_sizes, sum)) << size << " elements";
      }
    }
  }
}

TYPED_TEST(device_narrow, splits) {
  using T = TypeParam;
  covers("device::compact device::partition", blocks::warp_sizes());
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    constexpr unsigned tile = warpz::detail::tile_elements<T, warpz::detail::split_rows<T>>;
    array<unsigned> state(device::split_state<T>(sizes(tile).back()));
    for (const std::size_t size : sizes(tile)) {
      const std::vector<T> x = numbers<T>(size);
      std::vector<T> stable = x;
      const auto rest = std::stable_partition(stable.begin(), stable.end(), every_third());
      const auto count = static_cast<std::size_t>(rest - stable.begin());
      std::vector<T> compact = stable, unstable = stable;
      std::fill(compact.begin() + (rest - stable.begin()), compact.end(), element<T>(99));
      std::reverse(unstable.begin() + (rest - stable.begin()), unstable.end());
      for (const unsigned grid : {device::blocks_for<T>(size), 1U}) {
        expect_split<split::compact>(x, compact, count, grid, state);
        expect_split<split::partition>(x, stable, count, grid, state);
        expect_split<split::unstable>(x, unstable, count, grid, state);
      }
    }
  }
}

/// -0 before 0, what is no number last.
template <class T>
bool comes_before(T a, T b) {
  if constexpr (is_float<T>) {
    const float x = static_cast<float>(a), y = static_cast<float>(b);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(y) && !std::isnan(x);
    return x == y ? std::signbit(x) && !std::signbit(y) : x < y;
  } else {
    return a < b;
  }
}

/// Keys of all bits; of few values, of which the least and the greatest is one or neither; of one value.
template <class T>
std::vector<std::vector<T>> keys(std::size_t size) {
  std::vector<std::vector<T>> all{any_bits<T>(size), any_bits<T>(size), any_bits<T>(size), any_bits<T>(size)};
  constexpr int from = std::is_unsigned_v<T> ? 0 : -100;
  for (std::size_t i = 0; i < size; ++i) {
    if constexpr (is_float<T>) {
      all[1][i] = element<T>(i % 3 == 0 ? -0.0F : i % 3 == 1 ? 0.0F : std::numeric_limits<float>::infinity());
    } else {
      all[1][i] = i % 5 < 2 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    }
    all[2][i] = element<T>(from + static_cast<int>(i * i % 7) * 15);
    all[3][i] = element<T>(from);
  }
  return all;
}

TYPED_TEST(device_narrow, sorts) {
  using T = TypeParam;
  covers("device::sort", blocks::warp_sizes());
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    const std::size_t tile = warpz::detail::sort_tile<T>;
    for (const std::size_t size : {std::size_t{1}, std::size_t{33}, tile - 1, 2 * tile + 77}) {
      for (const std::vector<T>& x : keys<T>(size)) {
        std::vector<T> sorted = x;
        std::stable_sort(sorted.begin(), sorted.end(), comes_before<T>);
        for (const unsigned grid : {1U, 3U}) {
          array<T> in_place(x), output(size, element<T>(99));
          array<unsigned> state(device::sort_state<T>(size)), other(device::sort_state<T>(size));
          const T* const input = in_place.data();
          hipLaunchKernelGGL(sort<T>, dim3(grid), dim3(device::block_threads), 0, nullptr, output.data(), input,
                             state.data(), size);
          hipLaunchKernelGGL(sort<T>, dim3(grid), dim3(device::block_threads), 0, nullptr, in_place.data(), input,
                             other.data(), size);
          blocks::finish();
          ASSERT_TRUE(are_same(output.values(), sorted)) << size << " elements, " << grid << " blocks";
          ASSERT_TRUE(are_same(in_place.values(), sorted)) << size << " elements in place, " << grid << " blocks";
        }
      }
    }
  }
}

}  // namespace test_device_narrow
