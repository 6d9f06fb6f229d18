// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of kernels that the C library lacks: inverses of the error function and of the normal distribution, the
// scaled error function, modified Bessel functions.
#pragma once

#include "hip/detail/math_functions.h"

namespace simt {
namespace hip {

/// For small y: a start by the tail's asymptotic form (Abramowitz and Stegun, 26.2.23), then Halley's steps, each of
/// which triples the digits.
__device__ inline double inverse_of_tail(double y) {
  const double t = ::sqrt(-2.0 * ::log(0.5 * y));
  double x = -0.70710678118654752 * ((2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)) - t);
  for (int i = 0; i < 3; ++i) {
    const double slope = 1.12837916709551257 * ::exp(-x * x);
    if (slope == 0) break;
    const double error = ::erfc(x) - y;
    x += error / (slope - x * error);
  }
  return x;
}

/// For |x| up to a half, where 1 - erfc(x) would have lost digits.
__device__ inline double inverse_of_middle(double x) {
  double result = 0.88622692545275801 * x * (1.0 + 0.26179938779914944 * x * x);
  for (int i = 0; i < 4; ++i) {
    const double slope = 1.12837916709551257 * ::exp(-result * result);
    const double error = ::erf(result) - x;
    result -= error / (slope + result * error);
  }
  return result;
}

/// The series of a modified Bessel function, whose terms are all of one sign.
__device__ inline double bessel_series(double x, double first, double order) {
  const double quarter = 0.25 * x * x;
  double term = first;
  double sum = first;
  for (double k = 1; term > 1e-17 * sum && sum <= 1.7e308; ++k) {
    term *= quarter / (k * (k + order));
    sum += term;
  }
  return sum;
}

}  // namespace hip
}  // namespace simt

#define SIMT_MATH extern "C" __device__ inline

SIMT_MATH double erfcinv(double y) noexcept {
  if (!(y >= 0 && y <= 2)) return __builtin_nan("");
  if (y == 0) return __builtin_huge_val();
  if (y == 2) return -__builtin_huge_val();
  if (y >= 0.5 && y <= 1.5) return simt::hip::inverse_of_middle(1.0 - y);
  return y < 1 ? simt::hip::inverse_of_tail(y) : -simt::hip::inverse_of_tail(2.0 - y);
}
SIMT_MATH double erfinv(double x) noexcept {
  const double size = ::fabs(x);
  if (size <= 0.5) return simt::hip::inverse_of_middle(x);
  return ::copysign(erfcinv(1.0 - size), x);
}
SIMT_MATH double normcdfinv(double p) noexcept { return -1.4142135623730950488 * erfcinv(2.0 * p); }

/// exp(x * x) * erfc(x).
SIMT_MATH double erfcx(double x) noexcept {
  if (x > 25) {
    const double r = 0.5 / (x * x);
    return 0.56418958354775628695 / x * (1.0 - r * (1.0 - 3.0 * r * (1.0 - 5.0 * r)));
  }
  const double square = x * x;
  return ::exp(square) * (1.0 + ::fma(x, x, -square)) * ::erfc(x);
}

SIMT_MATH double cyl_bessel_i0(double x) noexcept { return simt::hip::bessel_series(x, 1.0, 0); }
SIMT_MATH double cyl_bessel_i1(double x) noexcept {
  return ::copysign(simt::hip::bessel_series(x, 0.5 * ::fabs(x), 1), x);
}

SIMT_MATH float erfcinvf(float y) noexcept { return static_cast<float>(erfcinv(y)); }
SIMT_MATH float erfinvf(float x) noexcept { return static_cast<float>(erfinv(x)); }
SIMT_MATH float normcdfinvf(float p) noexcept { return static_cast<float>(normcdfinv(p)); }
SIMT_MATH float erfcxf(float x) noexcept { return static_cast<float>(erfcx(x)); }
SIMT_MATH float cyl_bessel_i0f(float x) noexcept { return static_cast<float>(cyl_bessel_i0(x)); }
SIMT_MATH float cyl_bessel_i1f(float x) noexcept { return static_cast<float>(cyl_bessel_i1(x)); }
#undef SIMT_MATH

__device__ inline float erfcinv(float y) { return erfcinvf(y); }
__device__ inline float erfinv(float x) { return erfinvf(x); }
__device__ inline float normcdfinv(float p) { return normcdfinvf(p); }
__device__ inline float erfcx(float x) { return erfcxf(x); }
