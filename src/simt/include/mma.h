// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcuda::wmma: products of small matrices, each of which 32 lanes hold together. All of them have to call each
// function together, but fill_fragment.
#pragma once

#define __CUDA_MMA_H__

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "cuda/detail/matrix_fragments.h"
#include "cuda/detail/matrix_products.h"

SIMT_BOTH_SIDES_BEGIN

namespace nvcuda {
namespace wmma {

/// A lane's elements are x[0] to x[num_elements - 1]. Accumulators of one shape have theirs in the same places.
template <class _Use, int _M, int _N, int _K, class _Tp, class _Layout = void>
class fragment;

#define SIMT_FACTOR(use, rows, columns)                                                                            \
  template <int _M, int _N, int _K, class _Tp, class _Layout>                                                      \
  class fragment<use, _M, _N, _K, _Tp, _Layout>                                                                    \
      : public simt::hip::matrix_part<_Tp, typename simt::hip::matrix_element<_Tp>::stored, rows, columns,         \
                                      std::is_same_v<_Layout, col_major>, simt::hip::matrix_element<_Tp>::least> { \
    static_assert(                                                                                                 \
        simt::hip::is_matrix_shape<_M, _N, _K, _Tp>(),                                                             \
        "factors are 16x16x16, 32x8x16 or 8x32x16 of half, bfloat16 and char, 16x16x8 of tf32, and 8x8x4 of "      \
        "double");                                                                                                 \
    static_assert(std::is_same_v<_Layout, row_major> || std::is_same_v<_Layout, col_major>,                        \
                  "a factor is row_major or col_major");                                                           \
  };
SIMT_FACTOR(matrix_a, _M, _K)
SIMT_FACTOR(matrix_b, _K, _N)
#undef SIMT_FACTOR

template <int _M, int _N, int _K, class _Tp>
class fragment<accumulator, _M, _N, _K, _Tp, void> : public simt::hip::matrix_part<_Tp, _Tp, _M, _N, false, 1> {
  static_assert(simt::hip::is_accumulator_shape<_M, _N, _K, _Tp>(),
                "accumulators are 16x16x16, 32x8x16 or 8x32x16 of float, half and int, 16x16x8 of float, and 8x8x4 of "
                "double");
};

namespace experimental {
namespace precision {
#define SIMT_REFUSED __attribute__((unavailable("the CPU machine has no matrices of elements of 1 or 4 bits")))
struct SIMT_REFUSED u4;
struct SIMT_REFUSED s4;
struct SIMT_REFUSED b1;
#undef SIMT_REFUSED
}  // namespace precision
}  // namespace experimental

/// To nearest; halves away from 0.
inline float __float_to_tf32(float value) {
  const unsigned bits = __builtin_bit_cast(unsigned, value);
  if ((bits & 0x7f800000) == 0x7f800000) return value;
  return __builtin_bit_cast(float, (bits + 0x1000) & ~0x1fffu);
}

template <class _Use, int _M, int _N, int _K, class _Tp, class _Layout>
__forceinline__ void fill_fragment(
    fragment<_Use, _M, _N, _K, _Tp, _Layout>& part,
    const typename fragment<_Use, _M, _N, _K, _Tp, _Layout>::storage_element_type& value) {
#pragma unroll
  for (int i = 0; i < part.num_elements; ++i) part.x[i] = value;
}

/// `stride`: from row to row, or from column to column where the fragment is col_major, in elements.
template <class _Use, int _M, int _N, int _K, class _Tp, class _Layout>
__forceinline__ void load_matrix_sync(
    fragment<_Use, _M, _N, _K, _Tp, _Layout>& part,
    const typename fragment<_Use, _M, _N, _K, _Tp, _Layout>::storage_element_type* first, unsigned stride,
    simt::site at = simt::hip::here("load_matrix_sync")) {
  static_assert(!std::is_same_v<_Use, accumulator>, "the layout of an accumulator in memory has to be given");
  simt::hip::load_matrix(part, first, stride, std::is_same_v<_Layout, col_major>, at);
}

template <int _M, int _N, int _K, class _Tp>
__forceinline__ void load_matrix_sync(fragment<accumulator, _M, _N, _K, _Tp>& part, const _Tp* first, unsigned stride,
                                      layout_t layout, simt::site at = simt::hip::here("load_matrix_sync")) {
  simt::hip::load_matrix(part, first, stride, layout == mem_col_major, at);
}

template <int _M, int _N, int _K, class _Tp>
__forceinline__ void store_matrix_sync(typename fragment<accumulator, _M, _N, _K, _Tp>::storage_element_type* first,
                                       const fragment<accumulator, _M, _N, _K, _Tp>& part, unsigned stride,
                                       layout_t layout, simt::site at = simt::hip::here("store_matrix_sync")) {
  simt::hip::store_matrix(part, first, stride, layout == mem_col_major, at);
}

/// d = a * b + c. Of float and half accumulators each may be either where the factors are of half.
template <int _M, int _N, int _K, class _Tp, class _LayoutA, class _LayoutB, class _D, class _C>
__forceinline__ void mma_sync(fragment<accumulator, _M, _N, _K, _D>& d,
                              const fragment<matrix_a, _M, _N, _K, _Tp, _LayoutA>& a,
                              const fragment<matrix_b, _M, _N, _K, _Tp, _LayoutB>& b,
                              const fragment<accumulator, _M, _N, _K, _C>& c,
                              simt::site at = simt::hip::here("mma_sync")) {
  using number = typename simt::hip::matrix_element<_Tp>::number;
  constexpr bool may_be_half = std::is_same_v<_Tp, __half>;
  static_assert((std::is_same_v<_D, number> || (may_be_half && std::is_same_v<_D, __half>)) &&
                    (std::is_same_v<_C, number> || (may_be_half && std::is_same_v<_C, __half>)),
                "sums of char are int, of double double, of bfloat16 and tf32 float, of half float or half");
  simt::hip::multiply_matrices(d, a, b, c, false, at);
}

/// Of integers, with sums that stay at the ends of their type, or wrap.
template <int _M, int _N, int _K, class _Tp, class _LayoutA, class _LayoutB>
__forceinline__ void mma_sync(fragment<accumulator, _M, _N, _K, int>& d,
                              const fragment<matrix_a, _M, _N, _K, _Tp, _LayoutA>& a,
                              const fragment<matrix_b, _M, _N, _K, _Tp, _LayoutB>& b,
                              const fragment<accumulator, _M, _N, _K, int>& c, bool saturates,
                              simt::site at = simt::hip::here("mma_sync")) {
  simt::hip::multiply_matrices(d, a, b, c, saturates, at);
}

}  // namespace wmma
}  // namespace nvcuda

SIMT_BOTH_SIDES_END
