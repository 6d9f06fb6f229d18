// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematics in kernels: the C library's functions without std::, and what HIP has beside them.
//
// The fast ones (__sinf, __expf, …) are no faster here and as exact as the others; a GPU's differ in the last bits.
// HIP's names that a C library may declare too have C's linkage.
#pragma once

#include <type_traits>

#include "hip/detail/c_library.h"
#include "hip/detail/host_defines.h"

namespace simt {
namespace hip {

/// A value that the compiler cannot fuse with the operation that it came from.
template <class _Tp>
__device__ __forceinline__ _Tp rounded(_Tp value) {
#if defined(__x86_64__)
  asm("" : "+x"(value));
#elif defined(__aarch64__)
  asm("" : "+w"(value));
#else
  asm("" : "+m"(value));
#endif
  return value;
}

inline constexpr double pi = 3.141592653589793238462643383279502884;

/// sin(pi x), exact where x is a multiple of a half.
__device__ inline double sin_of_pi(double x) {
  double within = ::remainder(x, 2.0);
  if (::fabs(within) > 0.5) within = ::copysign(1.0, within) - within;
  // An integer's zero has the sign of x.
  return within == 0 ? ::copysign(0.0, x) : ::sin(pi * within);
}

__device__ inline double cos_of_pi(double x) { return ::sin(pi * (0.5 - ::fabs(::remainder(x, 2.0)))); }

template <class _Ap, class _Bp>
using if_numbers = std::enable_if_t<std::is_arithmetic_v<_Ap> && std::is_arithmetic_v<_Bp>, decltype(_Ap() + _Bp())>;

}  // namespace hip
}  // namespace simt

// The lesser and the greater of two numbers, of the type of their sum; of a NaN and a number, the number.

template <class _Ap, class _Bp>
__host__ __device__ __forceinline__ simt::hip::if_numbers<_Ap, _Bp> min(_Ap a, _Bp b) {
  using _Tp = simt::hip::if_numbers<_Ap, _Bp>;
  if constexpr (std::is_floating_point_v<_Tp>) {
    return ::fmin(static_cast<_Tp>(a), static_cast<_Tp>(b));
  } else {
    return static_cast<_Tp>(b) < static_cast<_Tp>(a) ? static_cast<_Tp>(b) : static_cast<_Tp>(a);
  }
}

template <class _Ap, class _Bp>
__host__ __device__ __forceinline__ simt::hip::if_numbers<_Ap, _Bp> max(_Ap a, _Bp b) {
  using _Tp = simt::hip::if_numbers<_Ap, _Bp>;
  if constexpr (std::is_floating_point_v<_Tp>) {
    return ::fmax(static_cast<_Tp>(a), static_cast<_Tp>(b));
  } else {
    return static_cast<_Tp>(a) < static_cast<_Tp>(b) ? static_cast<_Tp>(b) : static_cast<_Tp>(a);
  }
}

// Functions beside the C library's.

#define SIMT_MATH extern "C" __device__ __forceinline__

SIMT_MATH float rsqrtf(float x) noexcept { return 1.0f / sqrtf(x); }
SIMT_MATH double rsqrt(double x) noexcept { return 1.0 / sqrt(x); }
SIMT_MATH float rcbrtf(float x) noexcept { return 1.0f / cbrtf(x); }
SIMT_MATH double rcbrt(double x) noexcept { return 1.0 / cbrt(x); }
SIMT_MATH float rhypotf(float x, float y) noexcept { return 1.0f / hypotf(x, y); }
SIMT_MATH double rhypot(double x, double y) noexcept { return 1.0 / hypot(x, y); }

SIMT_MATH float sinpif(float x) noexcept { return static_cast<float>(simt::hip::sin_of_pi(x)); }
SIMT_MATH double sinpi(double x) noexcept { return simt::hip::sin_of_pi(x); }
SIMT_MATH float cospif(float x) noexcept { return static_cast<float>(simt::hip::cos_of_pi(x)); }
SIMT_MATH double cospi(double x) noexcept { return simt::hip::cos_of_pi(x); }
SIMT_MATH void sincospif(float x, float* sine, float* cosine) noexcept {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
SIMT_MATH void sincospi(double x, double* sine, double* cosine) noexcept {
  *sine = sinpi(x);
  *cosine = cospi(x);
}

/// The length of a vector, without overflow on the way.
SIMT_MATH float norm3df(float x, float y, float z) noexcept { return hypotf(hypotf(x, y), z); }
SIMT_MATH double norm3d(double x, double y, double z) noexcept { return hypot(hypot(x, y), z); }
SIMT_MATH float norm4df(float x, float y, float z, float w) noexcept { return hypotf(hypotf(x, y), hypotf(z, w)); }
SIMT_MATH double norm4d(double x, double y, double z, double w) noexcept { return hypot(hypot(x, y), hypot(z, w)); }
SIMT_MATH float rnorm3df(float x, float y, float z) noexcept { return 1.0f / norm3df(x, y, z); }
SIMT_MATH double rnorm3d(double x, double y, double z) noexcept { return 1.0 / norm3d(x, y, z); }
SIMT_MATH float rnorm4df(float x, float y, float z, float w) noexcept { return 1.0f / norm4df(x, y, z, w); }
SIMT_MATH double rnorm4d(double x, double y, double z, double w) noexcept { return 1.0 / norm4d(x, y, z, w); }
SIMT_MATH float normf(int dim, const float* a) noexcept {
  float length = 0;
  for (int i = 0; i < dim; ++i) length = hypotf(length, a[i]);
  return length;
}
SIMT_MATH double norm(int dim, const double* a) noexcept {
  double length = 0;
  for (int i = 0; i < dim; ++i) length = hypot(length, a[i]);
  return length;
}
SIMT_MATH float rnormf(int dim, const float* a) noexcept { return 1.0f / normf(dim, a); }
SIMT_MATH double rnorm(int dim, const double* a) noexcept { return 1.0 / norm(dim, a); }

/// The distribution function of the standard normal distribution.
SIMT_MATH float normcdff(float x) noexcept { return 0.5f * erfcf(-0.707106781186547524f * x); }
SIMT_MATH double normcdf(double x) noexcept { return 0.5 * erfc(-0.707106781186547524400844362104849039 * x); }

SIMT_MATH float fdividef(float x, float y) noexcept { return x / y; }
SIMT_MATH float powif(float x, int n) noexcept { return powf(x, static_cast<float>(n)); }
SIMT_MATH double powi(double x, int n) noexcept { return pow(x, n); }

__device__ __forceinline__ float rsqrt(float x) { return rsqrtf(x); }
__device__ __forceinline__ float rcbrt(float x) { return rcbrtf(x); }
__device__ __forceinline__ float rhypot(float x, float y) { return rhypotf(x, y); }
__device__ __forceinline__ float sinpi(float x) { return sinpif(x); }
__device__ __forceinline__ float cospi(float x) { return cospif(x); }

// Fast approximations on a GPU.

SIMT_MATH float __sinf(float x) noexcept { return sinf(x); }
SIMT_MATH float __cosf(float x) noexcept { return cosf(x); }
SIMT_MATH float __tanf(float x) noexcept { return tanf(x); }
SIMT_MATH void __sincosf(float x, float* sine, float* cosine) noexcept {
  *sine = sinf(x);
  *cosine = cosf(x);
}
SIMT_MATH float __expf(float x) noexcept { return expf(x); }
SIMT_MATH float __exp10f(float x) noexcept { return powf(10.0f, x); }
SIMT_MATH float __logf(float x) noexcept { return logf(x); }
SIMT_MATH float __log2f(float x) noexcept { return log2f(x); }
SIMT_MATH float __log10f(float x) noexcept { return log10f(x); }
SIMT_MATH float __powf(float x, float y) noexcept { return powf(x, y); }
#undef SIMT_MATH

__device__ __forceinline__ float __fdividef(float x, float y) { return x / y; }

/// `x` within 0 and 1; 0 for a NaN.
__device__ __forceinline__ float __saturatef(float x) { return !(x > 0.0f) ? 0.0f : x > 1.0f ? 1.0f : x; }

namespace simt {
namespace hip {

template <class _Tp>
__device__ __forceinline__ _Tp unfused_add(_Tp x, _Tp y) {
  return rounded(rounded(x) + rounded(y));
}

}  // namespace hip
}  // namespace simt

// One operation, rounded once to the nearest, never fused with another.

__device__ __forceinline__ float __fadd_rn(float x, float y) { return simt::hip::unfused_add(x, y); }
__device__ __forceinline__ float __fsub_rn(float x, float y) { return simt::hip::unfused_add(x, -y); }
__device__ __forceinline__ float __fmul_rn(float x, float y) { return simt::hip::rounded(x * y); }
__device__ __forceinline__ float __fdiv_rn(float x, float y) { return x / y; }
__device__ __forceinline__ float __frcp_rn(float x) { return 1.0f / x; }
__device__ __forceinline__ float __fsqrt_rn(float x) { return sqrtf(x); }
__device__ __forceinline__ float __frsqrt_rn(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
__device__ __forceinline__ float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
__device__ __forceinline__ double __dadd_rn(double x, double y) { return simt::hip::unfused_add(x, y); }
__device__ __forceinline__ double __dsub_rn(double x, double y) { return simt::hip::unfused_add(x, -y); }
__device__ __forceinline__ double __dmul_rn(double x, double y) { return simt::hip::rounded(x * y); }
__device__ __forceinline__ double __ddiv_rn(double x, double y) { return x / y; }
__device__ __forceinline__ double __drcp_rn(double x) { return 1.0 / x; }
__device__ __forceinline__ double __dsqrt_rn(double x) { return sqrt(x); }
__device__ __forceinline__ double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
