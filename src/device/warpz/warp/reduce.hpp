// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of a warp, and of groups of its lanes, to one value. Part of warpz/warp.hpp, which says what holds for all
// of them.
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/detail/collectives.hpp"
#include "warpz/detail/operators.hpp"

namespace warpz {
namespace detail {

template <unsigned lanes, unsigned stride>
__host__ __device__ constexpr bool is_group() {
  return lanes != 0 && lanes <= 64 && (lanes & (lanes - 1)) == 0 && stride != 0 && (stride & (stride - 1)) == 0 &&
         stride <= 64 / lanes;
}

template <class _Tp>
inline constexpr bool has_extremes = is_number<_Tp> || std::is_same<_Tp, bool>::value;

}  // namespace detail

namespace warp {

/// How the values of a reduction travel, and so which lanes hold the result: the first argument of reduce and
/// lane_group_reduce, which say what each of the three means.
enum xor_lanes_tag { xor_lanes };
enum down_lanes_tag { down_lanes };
enum up_lanes_tag { up_lanes };

/// f over the values of each group of `lanes` lanes that are `stride` apart. Which lanes hold it depends on the first
/// argument:
///
///     xor_lanes     all lanes of the group (a butterfly)
///     down_lanes    the group's first lane; the others hold f over their own value and those above them
///     up_lanes      the group's last lane that exists; the others hold f over their own value and those below them
///
/// The groups of 4 lanes, 2 apart, among the first 16: 0 2 4 6, 1 3 5 7, 8 10 12 14, 9 11 13 15.
///
/// All lanes take part; lanes that the block lacks are left out. `lanes` and `stride` are powers of two, together at
/// most 64 lanes; a group that is larger than the warp ends with it. `f(a, b)` is associative; it need not commute, and
/// `a` is always of lower lanes than `b`. It is called in any number of lanes at once, so it calls no collective.
///
/// Neighbors are combined first, then pairs of them, and so on, so the bits are the same on every run and platform as
/// long as f's are: the library can't keep the compiler from fusing an addition of f with a multiplication that made
/// `v`, as it does in lane_group_sum. The three ways give the same bits, except up_lanes in a group whose last lanes do
/// not exist. `v` is of any trivially copyable type. Other names: warp.lane_group_reduce (Mojo, with shuffle_xor,
/// shuffle_down or shuffle_up).
template <unsigned lanes, unsigned stride = 1, class _Tp, class _Combine>
__device__ __forceinline__ _Tp lane_group_reduce(xor_lanes_tag, _Tp v, _Combine f,
                                                 detail::site at = detail::here("lane_group_reduce")) {
  static_assert(detail::is_group<lanes, stride>(), "lanes and stride are powers of two, at most 64 together");
  return detail::reduce_xor<lanes, stride>(v, f, at);
}

template <unsigned lanes, unsigned stride = 1, class _Tp, class _Combine>
__device__ __forceinline__ _Tp lane_group_reduce(down_lanes_tag, _Tp v, _Combine f,
                                                 detail::site at = detail::here("lane_group_reduce")) {
  static_assert(detail::is_group<lanes, stride>(), "lanes and stride are powers of two, at most 64 together");
  return detail::reduce_down<lanes, stride>(v, f, at);
}

template <unsigned lanes, unsigned stride = 1, class _Tp, class _Combine>
__device__ __forceinline__ _Tp lane_group_reduce(up_lanes_tag, _Tp v, _Combine f,
                                                 detail::site at = detail::here("lane_group_reduce")) {
  static_assert(detail::is_group<lanes, stride>(), "lanes and stride are powers of two, at most 64 together");
  return detail::reduce_up<lanes, stride>(v, f, at);
}

/// f over the values of all lanes. Which lanes hold it depends on the first argument: with xor_lanes all of them, with
/// down_lanes lane 0, with up_lanes the last lane that exists.
///
/// All lanes take part. All else is as in lane_group_reduce, for one group of the warp's size. Other names: warp.reduce
/// (Mojo), cub::WarpReduce::Reduce.
template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp reduce(xor_lanes_tag, _Tp v, _Combine f, detail::site at = detail::here("reduce")) {
  return detail::reduce_xor<0, 1>(v, f, at);
}

template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp reduce(down_lanes_tag, _Tp v, _Combine f, detail::site at = detail::here("reduce")) {
  return detail::reduce_down<0, 1>(v, f, at);
}

template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp reduce(up_lanes_tag, _Tp v, _Combine f, detail::site at = detail::here("reduce")) {
  return detail::reduce_up<0, 1>(v, f, at);
}

/// The sum of the values of each group of `lanes` lanes that are `stride` apart, in all lanes of the group. All lanes
/// take part. Groups are those of lane_group_reduce, and numbers are treated as in sum. Other names:
/// warp.lane_group_sum (Mojo).
template <unsigned lanes, unsigned stride = 1, class _Tp>
__device__ __forceinline__ _Tp lane_group_sum(_Tp v, detail::site at = detail::here("lane_group_sum")) {
  static_assert(detail::is_number<_Tp>, "lane_group_sum is for numbers of 32 and 64 bits, __half and bfloat16");
  static_assert(detail::is_group<lanes, stride>(), "lanes and stride are powers of two, at most 64 together");
  return detail::reduce_xor<lanes, stride>(v, detail::plus{}, at);
}

/// The greatest value of each group of `lanes` lanes that are `stride` apart, in all lanes of the group. All lanes take
/// part. Groups are those of lane_group_reduce, and types, NaN and zeros are treated as in max. Other names:
/// warp.lane_group_max (Mojo).
template <unsigned lanes, unsigned stride = 1, class _Tp>
__device__ __forceinline__ _Tp lane_group_max(_Tp v, detail::site at = detail::here("lane_group_max")) {
  static_assert(detail::has_extremes<_Tp>,
                "lane_group_max is for bool, numbers of 32 and 64 bits, __half and bfloat16");
  static_assert(detail::is_group<lanes, stride>(), "lanes and stride are powers of two, at most 64 together");
  return detail::reduce_xor<lanes, stride>(v, detail::max_operation{}, at);
}

/// The least value of each group of `lanes` lanes that are `stride` apart, in all lanes of the group. All lanes take
/// part. Groups are those of lane_group_reduce, and types, NaN and zeros are treated as in min. Other names:
/// warp.lane_group_min (Mojo).
template <unsigned lanes, unsigned stride = 1, class _Tp>
__device__ __forceinline__ _Tp lane_group_min(_Tp v, detail::site at = detail::here("lane_group_min")) {
  static_assert(detail::has_extremes<_Tp>,
                "lane_group_min is for bool, numbers of 32 and 64 bits, __half and bfloat16");
  static_assert(detail::is_group<lanes, stride>(), "lanes and stride are powers of two, at most 64 together");
  return detail::reduce_xor<lanes, stride>(v, detail::min_operation{}, at);
}

/// The sum of all lanes' values, in all lanes. All lanes take part; lanes that the block lacks add nothing.
///
/// Integers wrap. Floats are added neighbors first, with strides 1, 2, 4, …, each sum rounded to their type, and no
/// addition is fused with a multiplication: for one warp size the same values give the same bits on every run and
/// platform. With 32 lanes it may round differently than with 64. `v` is a number (a vote counts bools).
/// Other names: warp.sum (Mojo), __reduce_add_sync (CUDA, HIP; integers). The order is that of a butterfly (Hillis and
/// Steele, Data parallel algorithms, 1986).
template <class _Tp>
__device__ __forceinline__ _Tp sum(_Tp v, detail::site at = detail::here("sum")) {
  static_assert(detail::is_number<_Tp>, "sum is for numbers of 32 and 64 bits, __half and bfloat16");
  return detail::reduce_all(v, detail::plus{}, at);
}

/// The greatest of all lanes' values, in all lanes. All lanes take part; lanes that the block lacks do not count.
///
/// As fmax does it: a NaN counts only if there is nothing else, and the sign of a zero is either's. `v` is a number or
/// a bool. Other names: warp.max (Mojo), __reduce_max_sync (CUDA, HIP; integers).
template <class _Tp>
__device__ __forceinline__ _Tp max(_Tp v, detail::site at = detail::here("max")) {
  static_assert(detail::has_extremes<_Tp>, "max is for bool, numbers of 32 and 64 bits, __half and bfloat16");
  return detail::reduce_all(v, detail::max_operation{}, at);
}

/// The least of all lanes' values, in all lanes. All lanes take part; lanes that the block lacks do not count.
///
/// As fmin does it: a NaN counts only if there is nothing else, and the sign of a zero is either's. `v` is a number or
/// a bool. Other names: warp.min (Mojo), __reduce_min_sync (CUDA, HIP; integers).
template <class _Tp>
__device__ __forceinline__ _Tp min(_Tp v, detail::site at = detail::here("min")) {
  static_assert(detail::has_extremes<_Tp>, "min is for bool, numbers of 32 and 64 bits, __half and bfloat16");
  return detail::reduce_all(v, detail::min_operation{}, at);
}

}  // namespace warp
}  // namespace warpz
