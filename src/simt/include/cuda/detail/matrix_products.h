// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of two matrices that 32 lanes hold: one of them computes it for all, in float, double or int. A sum
// begins with the summand and goes on column by column of the first factor; a half is rounded once, at the end.
#pragma once

#include "cuda/detail/matrix_fragments.h"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

/// The operands of one lane.
template <class _D, class _A, class _B, class _C>
struct matrix_product {
  const _A* a;
  const _B* b;
  const _C* c;
  _D* d;  ///< none of the operands: a trace resolves the same product several times
  bool saturates;

  using number = typename matrix_element<typename _A::element_type>::number;

  static SIMT_OWN_CODE void resolve(collective_slots& operands, lane_mask group) {
    number factor[_A::rows][_A::columns] = {};
    alignas(row) number other[_B::rows][_B::columns] = {};
    alignas(row) number sum[_D::rows][_D::columns] = {};
    for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
      const unsigned id = lowest(rest);
      const unsigned lane = id % lanes_of_matrix;
      const matrix_product& given = of_lane(operands, id);
      for (unsigned i = 0; i < _A::own_elements; ++i) {
        factor[_A::row_of(lane, i)][_A::column_of(lane, i)] =
            matrix_element<typename _A::element_type>::number_of(given.a->x[i]);
      }
      for (unsigned i = 0; i < _B::own_elements; ++i) {
        other[_B::row_of(lane, i)][_B::column_of(lane, i)] =
            matrix_element<typename _B::element_type>::number_of(given.b->x[i]);
      }
      // Integers are added at the end, where the sum may leave the type.
      if constexpr (!std::is_same_v<number, int>) {
        for (unsigned i = 0; i < _C::own_elements; ++i) {
          sum[_C::row_of(lane, i)][_C::column_of(lane, i)] = summand(given.c->x[i]);
        }
      }
    }
    for (unsigned i = 0; i < _D::rows; ++i) add_row_of_product(sum[i], factor[i], other);
    for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
      const unsigned id = lowest(rest);
      const unsigned lane = id % lanes_of_matrix;
      const matrix_product& given = of_lane(operands, id);
      for (unsigned i = 0; i < _D::own_elements; ++i) {
        set_result(given.d->x[i], sum[_D::row_of(lane, i)][_D::column_of(lane, i)], given.c->x[i], given.saturates);
      }
      operands.result[id] = group;
    }
  }

 private:
  /// The optimizer makes no vectors in code that is checked.
  typedef number row __attribute__((vector_size(sizeof(number) * _D::columns), may_alias));

  static __forceinline__ const matrix_product& of_lane(const collective_slots& operands, unsigned id) {
    return *reinterpret_cast<const matrix_product*>(operands.argument[id]);
  }
  static __forceinline__ unsigned lowest(lane_mask lanes) { return static_cast<unsigned>(__builtin_ctzll(lanes)); }

  static __forceinline__ number summand(const __half& value) { return matrix_element<__half>::number_of(value); }
  static __forceinline__ number summand(number value) { return value; }

  static __forceinline__ void add_row_of_product(number* sum, const number* factor,
                                                 const number (&other)[_B::rows][_B::columns]) {
    row& total = *reinterpret_cast<row*>(sum);
    for (unsigned k = 0; k < _A::columns; ++k) {
      if constexpr (std::is_same_v<number, double>) {
        for (unsigned j = 0; j < _D::columns; ++j) sum[j] = __builtin_fma(factor[k], other[k][j], sum[j]);
      } else {
        total += factor[k] * *reinterpret_cast<const row*>(other[k]);
      }
    }
  }

  static __forceinline__ void set_result(__half& to, float sum, const typename _C::storage_element_type&, bool) {
    to.bits = half_format::round(sum);
  }
  static __forceinline__ void set_result(float& to, float sum, const typename _C::storage_element_type&, bool) {
    to = sum;
  }
  static __forceinline__ void set_result(double& to, double sum, double, bool) { to = sum; }
  static __forceinline__ void set_result(int& to, int product, int c, bool saturates) {
    int sum;
    const bool is_beyond = __builtin_add_overflow(product, c, &sum);
    to = !is_beyond || !saturates ? sum : c < 0 ? -2147483647 - 1 : 2147483647;
  }
};

template <class _Part>
inline SIMT_OWN_CODE void assign_part(_Part& part, const _Part& value) {
  part = value;
}

template <class _D, class _A, class _B, class _C>
__forceinline__ void multiply_matrices(_D& d, const _A& a, const _B& b, const _C& c, bool saturates, const site& at) {
  __attribute__((uninitialized)) _D result;
  const matrix_product<_D, _A, _B, _C> given{&a, &b, &c, &result, saturates};
  const lane_mask lanes = collect(matrix_product<_D, _A, _B, _C>::resolve, lanes_with_matrix(), 0,
                                  reinterpret_cast<std::uint64_t>(&given), at);
  check_lanes_of_matrix(lanes, at);
  assign_part(d, result);
}

}  // namespace hip
}  // namespace simt

SIMT_BOTH_SIDES_END
