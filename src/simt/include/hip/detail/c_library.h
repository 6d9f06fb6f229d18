// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's functions that device code may call, as hipcc has them: mathematics, printf, assert, malloc and free,
// copies of memory, abort and the clock. To Clang the library's own declarations are of the host alone.
//
// In device code the same functions of the host's library run, which are no GPU's: they round as it does.
#pragma once

#include <stddef.h>

#include "hip/detail/host_defines.h"

#if defined(__HIP__) || defined(__CUDA__)

extern "C" {
#define SIMT_REAL(name, ...) __device__ double name(__VA_ARGS__) noexcept;
#define SIMT_FLOAT(name, ...) __device__ float name(__VA_ARGS__) noexcept;
#define SIMT_OF_ONE(name) SIMT_REAL(name, double) SIMT_FLOAT(name##f, float)
#define SIMT_OF_TWO(name) SIMT_REAL(name, double, double) SIMT_FLOAT(name##f, float, float)
SIMT_OF_ONE(acos)
SIMT_OF_ONE(acosh)
SIMT_OF_ONE(asin)
SIMT_OF_ONE(asinh)
SIMT_OF_ONE(atan)
SIMT_OF_ONE(atanh)
SIMT_OF_ONE(cbrt)
SIMT_OF_ONE(ceil)
SIMT_OF_ONE(cos)
SIMT_OF_ONE(cosh)
SIMT_OF_ONE(erf)
SIMT_OF_ONE(erfc)
SIMT_OF_ONE(exp)
SIMT_OF_ONE(exp10)
SIMT_OF_ONE(exp2)
SIMT_OF_ONE(expm1)
SIMT_OF_ONE(fabs)
SIMT_OF_ONE(floor)
SIMT_OF_ONE(j0)
SIMT_OF_ONE(j1)
SIMT_OF_ONE(lgamma)
SIMT_OF_ONE(log)
SIMT_OF_ONE(log10)
SIMT_OF_ONE(log1p)
SIMT_OF_ONE(log2)
SIMT_OF_ONE(logb)
SIMT_OF_ONE(nearbyint)
SIMT_OF_ONE(rint)
SIMT_OF_ONE(round)
SIMT_OF_ONE(sin)
SIMT_OF_ONE(sinh)
SIMT_OF_ONE(sqrt)
SIMT_OF_ONE(tan)
SIMT_OF_ONE(tanh)
SIMT_OF_ONE(tgamma)
SIMT_OF_ONE(trunc)
SIMT_OF_ONE(y0)
SIMT_OF_ONE(y1)
SIMT_OF_TWO(atan2)
SIMT_OF_TWO(copysign)
SIMT_OF_TWO(fdim)
SIMT_OF_TWO(fmax)
SIMT_OF_TWO(fmin)
SIMT_OF_TWO(fmod)
SIMT_OF_TWO(hypot)
SIMT_OF_TWO(nextafter)
SIMT_OF_TWO(pow)
SIMT_OF_TWO(remainder)
#undef SIMT_OF_ONE
#undef SIMT_OF_TWO
SIMT_REAL(fma, double, double, double)
SIMT_FLOAT(fmaf, float, float, float)
SIMT_REAL(frexp, double, int*)
SIMT_FLOAT(frexpf, float, int*)
SIMT_REAL(jn, int, double)
SIMT_FLOAT(jnf, int, float)
SIMT_REAL(ldexp, double, int)
SIMT_FLOAT(ldexpf, float, int)
SIMT_REAL(modf, double, double*)
SIMT_FLOAT(modff, float, float*)
SIMT_REAL(nan, const char*)
SIMT_FLOAT(nanf, const char*)
SIMT_REAL(remquo, double, double, int*)
SIMT_FLOAT(remquof, float, float, int*)
SIMT_REAL(scalbln, double, long)
SIMT_FLOAT(scalblnf, float, long)
SIMT_REAL(scalbn, double, int)
SIMT_FLOAT(scalbnf, float, int)
SIMT_REAL(yn, int, double)
SIMT_FLOAT(ynf, int, float)
#undef SIMT_REAL
#undef SIMT_FLOAT
__device__ int ilogb(double) noexcept;
__device__ int ilogbf(float) noexcept;
__device__ long lrint(double) noexcept;
__device__ long lrintf(float) noexcept;
__device__ long lround(double) noexcept;
__device__ long lroundf(float) noexcept;
__device__ long long llrint(double) noexcept;
__device__ long long llrintf(float) noexcept;
__device__ long long llround(double) noexcept;
__device__ long long llroundf(float) noexcept;
__device__ void sincos(double, double*, double*) noexcept;
__device__ void sincosf(float, float*, float*) noexcept;
__device__ int abs(int) noexcept;
__device__ long labs(long) noexcept;
__device__ long long llabs(long long) noexcept;
}

#endif

// The C++ library's templates, such as std::pow of two types, only know what is declared before them.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>

#if defined(__HIP__) || defined(__CUDA__)

extern "C" {
__device__ void* malloc(size_t) noexcept;
__device__ void free(void*) noexcept;
__device__ void* memcpy(void*, const void*, size_t) noexcept;
__device__ void* memmove(void*, const void*, size_t) noexcept;
__device__ void* memset(void*, int, size_t) noexcept;
__device__ int printf(const char*, ...);
[[noreturn]] __device__ void abort() noexcept;
[[noreturn]] __device__ void __assert_fail(const char*, const char*, unsigned, const char*) noexcept;
}

// These names in std, where the library has declared those of the host.
namespace std {
using ::abort;
using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::clock;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::fdim;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::free;
using ::frexp;
using ::hypot;
using ::ilogb;
using ::labs;
using ::ldexp;
using ::lgamma;
using ::llabs;
using ::llrint;
using ::llround;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::logb;
using ::lrint;
using ::lround;
using ::malloc;
using ::memcpy;
using ::memmove;
using ::memset;
using ::modf;
using ::nan;
using ::nearbyint;
using ::nextafter;
using ::pow;
using ::printf;
using ::remainder;
using ::remquo;
using ::rint;
using ::round;
using ::scalbln;
using ::scalbn;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::tgamma;
using ::trunc;
}  // namespace std

#endif
