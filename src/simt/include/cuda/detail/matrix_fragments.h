// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which element of a matrix each lane holds of nvcuda::wmma's fragments, and how a matrix gets to memory and back.
//
// CUDA leaves open which lane holds what. Here the elements go round the 32 lanes, row by row, or column by column
// where a factor is col_major. A fragment has as many elements as NVIDIA's has, so that each lane has some elements of
// half factors two or four times.
#pragma once

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#include "hip/detail/shuffles.h"

SIMT_BOTH_SIDES_BEGIN

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}

}  // namespace wmma
}  // namespace nvcuda

namespace simt {
namespace hip {

inline constexpr unsigned lanes_of_matrix = 32;

/// What a fragment stores for an element, the number that it is, and how many elements a lane has of a factor at least.
template <class _Stored, class _Number>
struct matrix_numbers {
  using stored = _Stored;
  using number = _Number;
  static constexpr unsigned least = 1;
};
template <class _Tp>
struct matrix_element;
template <>
struct matrix_element<double> : matrix_numbers<double, double> {
  static __forceinline__ double number_of(double value) { return value; }
};
template <>
struct matrix_element<signed char> : matrix_numbers<signed char, int> {
  static __forceinline__ int number_of(signed char value) { return value; }
};
template <>
struct matrix_element<unsigned char> : matrix_numbers<unsigned char, int> {
  static __forceinline__ int number_of(unsigned char value) { return value; }
};
template <>
struct matrix_element<__hip_bfloat16> : matrix_numbers<__hip_bfloat16, float> {
  static __forceinline__ float number_of(const __hip_bfloat16& value) {
    return __builtin_bit_cast(float, static_cast<unsigned>(value.bits) << 16);
  }
};
template <>
struct matrix_element<__half> : matrix_numbers<__half, float> {
  static constexpr unsigned least = 16;
  /// Exact. It is quick, as there are hundreds of them in a product.
  static __forceinline__ float number_of(const __half& value) {
    const unsigned bits = value.bits;
    const unsigned magnitude = (bits & 0x7fff) << 13;
    const float finite = __builtin_bit_cast(float, magnitude) * 0x1p112f;
    const bool is_finite = (bits & 0x7c00) != 0x7c00;
    const unsigned wide = is_finite ? __builtin_bit_cast(unsigned, finite) : magnitude | 0x7f800000;
    return __builtin_bit_cast(float, wide | (bits & 0x8000) << 16);
  }
};
/// Of a float that nobody has rounded, the bits that tf32 lacks are ignored.
template <>
struct matrix_element<nvcuda::wmma::precision::tf32> : matrix_numbers<float, float> {
  static __forceinline__ float number_of(float value) {
    return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, value) & ~0x1fffu);
  }
};

template <int _M, int _N, int _K, class _Tp>
constexpr bool is_matrix_shape() {
  using nvcuda::wmma::precision::tf32;
  if constexpr (std::is_same_v<_Tp, double>) return _M == 8 && _N == 8 && _K == 4;
  if constexpr (std::is_same_v<_Tp, tf32>) return _M == 16 && _N == 16 && _K == 8;
  return _K == 16 && _M * _N == 256 && (_M == 8 || _M == 16 || _M == 32);
}

/// An accumulator's shape is that of the factors, whichever these are.
template <int _M, int _N, int _K, class _Tp>
constexpr bool is_accumulator_shape() {
  if constexpr (std::is_same_v<_Tp, double>) return is_matrix_shape<_M, _N, _K, double>();
  if constexpr (std::is_same_v<_Tp, float>) {
    return is_matrix_shape<_M, _N, _K, __half>() || is_matrix_shape<_M, _N, _K, nvcuda::wmma::precision::tf32>();
  }
  return (std::is_same_v<_Tp, int> || std::is_same_v<_Tp, __half>)&&is_matrix_shape<_M, _N, _K, __half>();
}

/// What one lane holds of a matrix.
template <class _Tp, class _Stored, unsigned _Rows, unsigned _Columns, bool _ByColumns, unsigned _Least>
struct matrix_part {
  static constexpr unsigned rows = _Rows, columns = _Columns;
  /// Those that no other lane holds, and that come first.
  static constexpr unsigned own_elements = rows * columns / lanes_of_matrix;

  enum { num_elements = own_elements < _Least ? _Least : own_elements, num_storage_elements = num_elements };
  using element_type = _Tp;
  using storage_element_type = _Stored;

  _Stored x[num_storage_elements];

  /// Where the matrix has an element of the lane's.
  static constexpr __forceinline__ unsigned row_of(unsigned lane, unsigned element) {
    const unsigned place = element * lanes_of_matrix + lane;
    return _ByColumns ? place % _Rows : place / _Columns;
  }
  static constexpr __forceinline__ unsigned column_of(unsigned lane, unsigned element) {
    const unsigned place = element * lanes_of_matrix + lane;
    return _ByColumns ? place / _Rows : place % _Columns;
  }

  /// Where memory has it, in elements, as its rows or columns lie there.
  static constexpr __forceinline__ std::size_t offset_of(unsigned lane, unsigned element, std::size_t stride,
                                                         bool is_by_columns) {
    const unsigned row = row_of(lane, element), column = column_of(lane, element);
    return is_by_columns ? column * stride + row : row * stride + column;
  }
};

inline unsigned lane_of_matrix() { return own_lane() % lanes_of_matrix; }

/// The 32 lanes that have a matrix together: all have to come.
inline participants lanes_with_matrix() { return lane_mask{0xffffffff} << (own_lane() & 32u); }

/// Of each lane's words, whether they are the same in all. They have to be, and all lanes have to exist.
inline void resolve_same_matrix(collective_slots& operands, lane_mask group) {
  const unsigned first = lowest_lane(group);
  lane_mask same = group;
  for_each_lane(group, [&](unsigned lane) {
    const bool is_same =
        operands.value[lane] == operands.value[first] && operands.argument[lane] == operands.argument[first];
    if (!is_same) same = 0;
  });
  for_each_lane(group, [&](unsigned lane) { operands.result[lane] = same; });
  order_memory(group);
}

/// Under --check all, a warp that is too small is a finding.
inline void check_lanes_of_matrix(lane_mask lanes, const site& at) {
  const int count = __builtin_popcountll(lanes);
  if (checks_operands && count != int{lanes_of_matrix} && lane_of_matrix() == 0) {
    report_operand("a matrix is spread over 32 lanes, of which this block's last warp has %d", count, at);
  }
}

/// Waits for all lanes of the matrix, as CUDA says of loads and stores. Under --check all, what CUDA's guide and PTX's
/// reference exclude is a finding: another matrix in other lanes, and addresses of rows or columns that are no multiple
/// of a lane's part.
template <class _Part>
__forceinline__ void meet_at_matrix(const void* first, unsigned stride, bool is_by_columns, const site& at) {
  const std::uint64_t shape = std::uint64_t{stride} << 1 | (is_by_columns ? 1 : 0);
  const lane_mask same =
      collect(resolve_same_matrix, lanes_with_matrix(), reinterpret_cast<std::uint64_t>(first), shape, at);
  if constexpr (checks_operands) {
    if (lane_of_matrix() != 0) return;
    if (same == 0) {
      report_operand("lanes of a warp name different matrices: address, stride and layout have to be the same", 0, at);
      return;
    }
    check_lanes_of_matrix(same, at);
    constexpr unsigned aligned = sizeof(_Part), stride_aligned = aligned < 16 ? aligned : 16;
    if (reinterpret_cast<std::uint64_t>(first) % aligned != 0) {
      report_operand("the address of such a matrix has to be a multiple of %d bytes", aligned, at);
    } else if (stride * sizeof(typename _Part::storage_element_type) % stride_aligned != 0) {
      report_operand("the stride of such a matrix has to be a multiple of %d bytes", stride_aligned, at);
    }
  }
}

// Unrolled, so that the compiler sees which elements of a fragment are set, and that they are the lane's own.

template <class _Part>
__forceinline__ void load_matrix(_Part& part, const typename _Part::storage_element_type* first, unsigned stride,
                                 bool is_by_columns, const site& at) {
  meet_at_matrix<_Part>(first, stride, is_by_columns, at);
  const unsigned lane = lane_of_matrix();
#pragma unroll
  for (unsigned i = 0; i < _Part::own_elements; ++i)
    part.x[i] = first[_Part::offset_of(lane, i, stride, is_by_columns)];
#pragma unroll
  for (unsigned i = _Part::own_elements; i < _Part::num_elements; ++i) part.x[i] = part.x[i - _Part::own_elements];
}

template <class _Part>
__forceinline__ void store_matrix(const _Part& part, typename _Part::storage_element_type* first, unsigned stride,
                                  bool is_by_columns, const site& at) {
  meet_at_matrix<_Part>(first, stride, is_by_columns, at);
  const unsigned lane = lane_of_matrix();
#pragma unroll
  for (unsigned i = 0; i < _Part::own_elements; ++i)
    first[_Part::offset_of(lane, i, stride, is_by_columns)] = part.x[i];
}

}  // namespace hip
}  // namespace simt

SIMT_BOTH_SIDES_END
