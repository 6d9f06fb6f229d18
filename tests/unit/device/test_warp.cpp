// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans of a warp. Integers and maxima against the plain definition, float sums bit by bit against
// the order of additions that is promised.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "lanes.hpp"
#include "warpz/warp.hpp"

namespace test_warp {

namespace warp = warpz::warp;
using lanes::results_of;
using lanes::shape;

template <class T>
class number : public testing::Test {};

using numbers =
    types_to_test<testing::Types<int, unsigned, long, unsigned long, long long, unsigned long long, float, double>,
                  testing::Types<int, unsigned long long, float>>;
TYPED_TEST_SUITE(number, numbers);

LANE_FUNCTION std::uint64_t scrambled(std::uint64_t seed) {
  seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111eb;
  return seed ^ (seed >> 31);
}

/// Numbers of both signs. Integers over their whole range, so that sums wrap; floats of several magnitudes, so
/// that each order of additions rounds differently.
template <class T>
LANE_FUNCTION T value_of(unsigned thread, unsigned round) {
  const std::uint64_t bits = scrambled(thread * 977 + round * 31337 + 1);
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(bits);
  } else {
    const double magnitudes[] = {1e-3, 1.0, 1e3, 1e6};
    const double fraction =
        static_cast<double>(static_cast<std::int64_t>(bits >> 3) - (std::int64_t{1} << 60)) / (std::int64_t{1} << 60);
    return static_cast<T>(fraction * magnitudes[bits & 3]);
  }
}

/// The values of a thread's warp, as far as its lanes exist.
template <class T>
std::vector<T> warp_of(const shape& on, unsigned thread, unsigned round) {
  std::vector<T> values;
  for (unsigned lane = 0; lane < on.existing(thread); ++lane)
    values.push_back(value_of<T>(on.first(thread) + lane, round));
  return values;
}

template <class T>
T plus(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using word = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<word>(a) + static_cast<word>(b));
  } else {
    const volatile T sum = a + b;
    return sum;
  }
}

/// Neighbours first: the sum of the first half plus the sum of the second, where that has any lane.
template <class T>
T sum_of(const std::vector<T>& values, std::size_t begin, std::size_t count) {
  if (count == 1) return values[begin];
  const T left = sum_of(values, begin, count / 2);
  if (begin + count / 2 >= values.size()) return left;
  return plus(left, sum_of(values, begin + count / 2, count / 2));
}

/// The sum of the `reach` values that end at `lane`, as far as they are in its row of 16: the half before plus the half
/// that ends here.
template <class T>
T row_scan(const std::vector<T>& values, std::size_t lane, std::size_t reach) {
  if (reach == 1) return values[lane];
  const T here = row_scan(values, lane, reach / 2);
  if (lane % 16 < reach / 2) return here;
  return plus(row_scan(values, lane - reach / 2, reach / 2), here);
}

template <class T>
T scan_of(const std::vector<T>& values, std::size_t lane) {
  const auto up_to_row_pair = [&](std::size_t at) {
    const T row = row_scan(values, at, 16);
    return at % 32 < 16 ? row : plus(row_scan(values, at / 16 * 16 - 1, 16), row);
  };
  const T half = up_to_row_pair(lane);
  return lane < 32 ? half : plus(up_to_row_pair(31), half);
}

template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
struct reductions {
  T sum, max, min, inclusive, exclusive;
};

template <class T>
void check(const shape& on, unsigned round) {
  const auto got = results_of(on, [=] LANE_FUNCTION(unsigned thread) {
    const T v = value_of<T>(thread, round);
    return reductions<T>{warp::sum(v), warp::max(v), warp::min(v), warp::prefix_sum(v), warp::prefix_sum<true>(v)};
  });
  ASSERT_EQ(got.size(), on.threads());
  for (unsigned thread = 0; thread < got.size(); ++thread) {
    const std::vector<T> values = warp_of<T>(on, thread, round);
    const unsigned lane = on.lane(thread);
    const auto where = [&] { return testing::PrintToString(on) + ", thread " + std::to_string(thread); };
    ASSERT_TRUE(same(got[thread].sum, sum_of(values, 0, 64))) << where();
    ASSERT_EQ(got[thread].max, *std::max_element(values.begin(), values.end())) << where();
    ASSERT_EQ(got[thread].min, *std::min_element(values.begin(), values.end())) << where();
    ASSERT_TRUE(same(got[thread].inclusive, scan_of(values, lane))) << where();
    ASSERT_TRUE(same(got[thread].exclusive, lane == 0 ? T{0} : scan_of(values, lane - 1))) << where();
    // The order above is one thing, that it is a sum at all another.
    if constexpr (std::is_floating_point_v<T>) {
      long double up_to = 0, magnitudes = 0;
      for (unsigned i = 0; i <= lane; ++i) {
        up_to += values[i];
        magnitudes += std::fabs(values[i]);
      }
      const long double allowed = 8 * magnitudes * std::numeric_limits<T>::epsilon();
      ASSERT_NEAR(static_cast<double>(got[thread].inclusive), static_cast<double>(up_to), static_cast<double>(allowed))
          << where();
    }
  }
}

TYPED_TEST(number, reductions_and_scans_of_32_lanes) {
  for (const shape& on : lanes::shapes(32)) check<TypeParam>(on, 0);
}

TYPED_TEST(number, reductions_and_scans_of_64_lanes) {
  for (const shape& on : lanes::shapes(64)) check<TypeParam>(on, 1);
}

TYPED_TEST(number, the_extreme_in_each_lane_in_turn) {
  using T = TypeParam;
  for (const unsigned W : {32U, 64U}) {
    for (const unsigned threads : {W, W - 5}) {
      for (unsigned chosen = 0; chosen < threads; ++chosen) {
        const auto got = results_of({W, dim3(threads)}, [=] LANE_FUNCTION(unsigned thread) {
          const T much = thread == chosen ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
          const T little = thread == chosen ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
          return warp::max(much) == std::numeric_limits<T>::max() &&
                 warp::min(little) == std::numeric_limits<T>::lowest() &&
                 warp::max(thread == chosen ? T{1} : T{0}) == T{1} && warp::sum(thread == chosen ? T{7} : T{0}) == T{7};
        });
        for (unsigned thread = 0; thread < threads; ++thread)
          ASSERT_TRUE(got[thread]) << W << " " << chosen << " " << thread;
      }
    }
  }
}

TYPED_TEST(number, one_call_after_the_other_in_a_loop) {
  using T = TypeParam;
  for (const unsigned W : {32U, 64U}) {
    const shape on{W, dim3(2 * W + 3)};
    const auto wrong = results_of(on, [=] LANE_FUNCTION(unsigned thread) {
      const int lane = warp::lane_id(), lanes = thread < 2 * W ? static_cast<int>(W) : 3;
      int count = 0;
      for (int i = 0; i < 100; ++i) {
        if (warp::sum(T{1}) != static_cast<T>(lanes)) ++count;
        if (warp::prefix_sum(static_cast<T>(i)) != static_cast<T>(i * (lane + 1))) ++count;
        if (warp::max(static_cast<T>(lane + i)) != static_cast<T>(lanes - 1 + i)) ++count;
        if (warp::min(static_cast<T>(lane + i)) != static_cast<T>(i)) ++count;
      }
      return count;
    });
    for (const int count : wrong) ASSERT_EQ(count, 0);
  }
}

template <class T>
class floating : public testing::Test {};

using floats = testing::Types<float, double>;
TYPED_TEST_SUITE(floating, floats);

TYPED_TEST(floating, max_and_min_count_a_nan_only_if_there_is_nothing_else) {
  using T = TypeParam;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
  struct both {
    T max, min;
  };
  for (const unsigned W : {32U, 64U}) {
    for (const unsigned threads : {W, W - 5, 1U}) {
      for (unsigned chosen = 0; chosen <= threads; ++chosen) {
        const auto got = results_of({W, dim3(threads)}, [=] LANE_FUNCTION(unsigned thread) {
          const T v = thread == chosen ? T{-3} : nan;
          return both{warp::max(v), warp::min(v)};
        });
        for (const both& result : got) {
          // Without a chosen one all are NaN.
          ASSERT_EQ(std::isnan(result.max), chosen == threads);
          ASSERT_EQ(std::isnan(result.min), chosen == threads);
          if (chosen < threads) {
            ASSERT_EQ(result.max, T{-3});
            ASSERT_EQ(result.min, T{-3});
          }
        }
      }
      const auto all_infinite = results_of({W, dim3(threads)}, [=] LANE_FUNCTION(unsigned) {
        return both{warp::max(-infinity), warp::min(infinity)};
      });
      for (const both& result : all_infinite) {
        ASSERT_EQ(result.max, -infinity);
        ASSERT_EQ(result.min, infinity);
      }
    }
  }
}

TYPED_TEST(floating, sums_know_infinities_and_nan) {
  using T = TypeParam;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
  for (const unsigned W : {32U, 64U}) {
    const auto infinite = results_of(
        {W, dim3(W)}, [=] LANE_FUNCTION(unsigned thread) { return warp::prefix_sum(thread == 9 ? infinity : T{1}); });
    const auto undefined = results_of(
        {W, dim3(W)}, [=] LANE_FUNCTION(unsigned thread) { return warp::prefix_sum(thread == 9 ? nan : T{1}); });
    for (unsigned lane = 0; lane < W; ++lane) {
      ASSERT_EQ(infinite[lane], lane < 9 ? static_cast<T>(lane + 1) : infinity);
      ASSERT_EQ(std::isnan(undefined[lane]), lane >= 9);
    }
  }
}

TYPED_TEST(floating, the_same_values_give_the_same_bits_in_every_warp) {
  using T = TypeParam;
  for (const unsigned W : {32U, 64U}) {
    const auto got = results_of({W, dim3(8 * W)}, [] LANE_FUNCTION(unsigned) {
      return warp::sum(value_of<T>(static_cast<unsigned>(warp::lane_id()), 3));
    });
    for (const T sum : got) ASSERT_TRUE(same(sum, got[0]));
  }
}

}  // namespace test_warp
