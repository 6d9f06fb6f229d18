// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The addition that sums and scans are made of rounds by itself, also where the compiler is free to fuse a product
// into it. The library is compiled here so that the compiler is free to, where it and the processor can.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstring>
#include <type_traits>

#if defined(__x86_64__)
#define CAN_FUSE 1
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("fma"))), apply_to = function)
#pragma clang fp contract(fast)
#else
#pragma GCC target("fma")
#pragma GCC optimize("O2", "fp-contract=fast")
#endif
#endif

// By another name, so that what is made of it here is not what another test of this program calls.
#define warpz warpz_that_may_fuse
#include "warpz/warp.hpp"

namespace {

// Its square needs more bits than the type has, and rounding takes the last ones away.
template <class T>
constexpr T factor = 1 + (sizeof(T) == 4 ? T(0x1p-12) : T(0x1p-27));

// Each product is made for one addition only: a compiler does not fuse one that it needs for itself too. What is
// multiplied comes from volatile variables, or the compiler would do all of it beforehand.

template <class T, class Add>
T product_first(Add add) {
  volatile T a = factor<T>, b = factor<T>;
  volatile T opposite = -(factor<T> * factor<T>);
  const T left = a, right = b;
  return add(left * right, opposite);
}

template <class T, class Add>
T product_second(Add add) {
  volatile T a = factor<T>, b = factor<T>;
  volatile T opposite = -(factor<T> * factor<T>);
  const T left = a, right = b;
  return add(opposite, left * right);
}

template <class T>
void expect_rounded_products() {
#ifdef CAN_FUSE
  if (!__builtin_cpu_supports("fma")) GTEST_SKIP() << "this processor has no fused multiply-add";
#endif
  const auto add = [](T a, T b) { return warpz::detail::add(a, b); };
  EXPECT_EQ(product_first<T>(add), T{0});
  EXPECT_EQ(product_second<T>(add), T{0});
}

TEST(rounding, a_fused_addition_would_be_noticed) {
  EXPECT_NE(std::fma(factor<float>, factor<float>, -(factor<float> * factor<float>)), 0.0f);
  EXPECT_NE(std::fma(factor<double>, factor<double>, -(factor<double> * factor<double>)), 0.0);
}

TEST(rounding, floats_are_added_as_they_were_rounded) { expect_rounded_products<float>(); }

TEST(rounding, doubles_are_added_as_they_were_rounded) { expect_rounded_products<double>(); }

}  // namespace

#if defined(__clang__) && defined(CAN_FUSE)
#pragma clang attribute pop
#endif
