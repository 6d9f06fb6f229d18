// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers with HIP's names: x is the real part, y the imaginary one. Products and quotients are the
// textbook's formulas and may overflow where the result itself would not.
#pragma once

#include "hip/hip_vector_types.h"

SIMT_BOTH_SIDES_BEGIN

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

/// For one type: the suffix of its functions, its square root.
#define SIMT_COMPLEX(Complex, Real, f, root)                                                                        \
  inline Complex make_##Complex(Real x, Real y) { return Complex(x, y); }                                           \
  inline Real hipCreal##f(Complex z) { return z.x; }                                                                \
  inline Real hipCimag##f(Complex z) { return z.y; }                                                                \
  inline Complex hipConj##f(Complex z) { return Complex(z.x, -z.y); }                                               \
  inline Real hipCsqabs##f(Complex z) { return z.x * z.x + z.y * z.y; }                                             \
  inline Real hipCabs##f(Complex z) { return root(hipCsqabs##f(z)); }                                               \
  inline Complex hipCadd##f(Complex p, Complex q) { return p + q; }                                                 \
  inline Complex hipCsub##f(Complex p, Complex q) { return p - q; }                                                 \
  inline Complex hipCmul##f(Complex p, Complex q) { return Complex(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y); } \
  inline Complex hipCdiv##f(Complex p, Complex q) {                                                                 \
    const Real divisor = hipCsqabs##f(q);                                                                           \
    return Complex((p.x * q.x + p.y * q.y) / divisor, (p.y * q.x - p.x * q.y) / divisor);                           \
  }                                                                                                                 \
  /* p * q + r */                                                                                                   \
  inline Complex hipCfma##f(Complex p, Complex q, Complex r) { return hipCmul##f(p, q) + r; }
SIMT_COMPLEX(hipFloatComplex, float, f, __builtin_sqrtf)
SIMT_COMPLEX(hipDoubleComplex, double, , __builtin_sqrt)
#undef SIMT_COMPLEX

inline hipComplex make_hipComplex(float x, float y) { return hipComplex(x, y); }
inline hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) { return hipDoubleComplex(z.x, z.y); }
inline hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return hipFloatComplex(static_cast<float>(z.x), static_cast<float>(z.y));
}

SIMT_BOTH_SIDES_END
