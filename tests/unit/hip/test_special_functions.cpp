// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that the C library lacks, compared with published values, their inverses and the C++ library's.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <cmath>
#include <limits>
#include <vector>

namespace test_special_functions {

enum class function { erfinv, erfcinv, normcdfinv, erfcx, bessel_i0, bessel_i1 };

__device__ double value_of(function chosen, double x) {
  switch (chosen) {
    case function::erfinv:
      return erfinv(x);
    case function::erfcinv:
      return erfcinv(x);
    case function::normcdfinv:
      return normcdfinv(x);
    case function::erfcx:
      return erfcx(x);
    case function::bessel_i0:
      return cyl_bessel_i0(x);
    case function::bessel_i1:
      return cyl_bessel_i1(x);
  }
  return 0;
}
__device__ float value_of(function chosen, float x) {
  switch (chosen) {
    case function::erfinv:
      return erfinvf(x);
    case function::erfcinv:
      return erfcinvf(x);
    case function::normcdfinv:
      return normcdfinvf(x);
    case function::erfcx:
      return erfcxf(x);
    case function::bessel_i0:
      return cyl_bessel_i0f(x);
    case function::bessel_i1:
      return cyl_bessel_i1f(x);
  }
  return 0;
}

template <class Number>
__global__ void apply(function chosen, Number x, Number* result) {
  *result = value_of(chosen, x);
}

template <class Number>
Number on_device(function chosen, Number x) {
  Number result = 0;
  apply<<<1, 1>>>(chosen, x, &result);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
  return result;
}

void expect_near(double got, double expected, double relative, double x) {
  EXPECT_LE(std::fabs(got - expected), relative * std::fabs(expected)) << got << ", not " << expected << ", for " << x;
}

TEST(special_functions, have_their_published_values) {
  expect_near(on_device(function::erfinv, 0.5), 0.47693627620446987338, 4e-16, 0.5);
  expect_near(on_device(function::erfcinv, 1e-10), 4.5728249673894852787, 1e-15, 1e-10);
  expect_near(on_device(function::normcdfinv, 0.975), 1.9599639845400542355, 1e-15, 0.975);
  expect_near(on_device(function::normcdfinv, 0.5 - 0.475), -1.9599639845400542355, 2e-15, 0.025);
  expect_near(on_device(function::bessel_i0, 1.0), 1.2660658777520083356, 1e-15, 1);
  expect_near(on_device(function::bessel_i1, -1.0), -0.56515910399248502721, 1e-15, -1);
  expect_near(on_device(function::erfcx, 1.0), 0.42758357615580700441, 1e-15, 1);
  expect_near(on_device(function::erfcx, 100.0), 0.0056416137829894329, 1e-15, 100);
}

TEST(special_functions, invert_the_error_function) {
  for (double x = -0.999; x < 1; x += 0.037) expect_near(std::erf(on_device(function::erfinv, x)), x, 1e-14, x);
  for (double y = 1e-300; y < 1; y *= 1e7) expect_near(std::erfc(on_device(function::erfcinv, y)), y, 1e-12, y);
  for (double y = 0.01; y < 2; y += 0.07) expect_near(std::erfc(on_device(function::erfcinv, y)), y, 1e-13, y);
}

TEST(special_functions, follow_the_library_over_their_range) {
  for (double x = 0.25; x < 600; x *= 1.7) {
    expect_near(on_device(function::bessel_i0, x), std::cyl_bessel_i(0.0, x), 1e-12, x);
    expect_near(on_device(function::bessel_i1, x), std::cyl_bessel_i(1.0, x), 1e-12, x);
  }
  for (double x = -5; x < 25; x += 1.3) {
    const long double wide = x;
    expect_near(on_device(function::erfcx, x), static_cast<double>(std::exp(wide * wide) * std::erfc(wide)), 2e-15, x);
  }
}

TEST(special_functions, of_floats) {
  expect_near(on_device(function::erfinv, -0.25f), -0.22531205501217810, 1e-7, -0.25);
  expect_near(on_device(function::erfcinv, 0.1f), 1.1630871536766743, 1e-6, 0.1);
  expect_near(on_device(function::normcdfinv, 0.75f), 0.67448975019608171, 1e-7, 0.75);
  expect_near(on_device(function::erfcx, 2.0f), 0.25539567631050571, 1e-7, 2);
  expect_near(on_device(function::bessel_i0, 2.0f), 2.2795853023360673, 1e-7, 2);
  expect_near(on_device(function::bessel_i1, 2.0f), 1.5906368546373291, 1e-7, 2);
}

TEST(special_functions, at_the_ends_of_their_range) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(on_device(function::erfinv, 1.0), infinity);
  EXPECT_EQ(on_device(function::erfinv, -1.0), -infinity);
  EXPECT_EQ(on_device(function::erfinv, 0.0), 0);
  EXPECT_TRUE(std::isnan(on_device(function::erfinv, 1.5)));
  EXPECT_EQ(on_device(function::erfcinv, 0.0), infinity);
  EXPECT_EQ(on_device(function::erfcinv, 2.0), -infinity);
  EXPECT_EQ(on_device(function::normcdfinv, 0.0), -infinity);
  EXPECT_TRUE(std::isnan(on_device(function::normcdfinv, -0.1)));
  EXPECT_EQ(on_device(function::bessel_i0, 0.0), 1);
  EXPECT_EQ(on_device(function::bessel_i1, 0.0), 0);
  EXPECT_EQ(on_device(function::bessel_i0, 800.0), infinity);
}

__global__ void add_up(float* sum, double* wide, int* whole) {
  atomicAddNoRet(sum, 0.5f);
  unsafeAtomicAdd(wide, 0.25);
  unsafeAtomicAdd(whole, 3);
}

TEST(special_functions, and_atomics_without_a_result) {
  float sum = 0;
  double wide = 0;
  int whole = 0;
  add_up<<<2, 64>>>(&sum, &wide, &whole);
  ASSERT_EQ(hipGetLastError(), hipSuccess);
  EXPECT_EQ(sum, 64);
  EXPECT_EQ(wide, 32);
  EXPECT_EQ(whole, 384);
}

}  // namespace test_special_functions
