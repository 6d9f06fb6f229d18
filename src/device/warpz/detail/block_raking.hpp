// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scan of a block of known size by raking (Dotsenko, Govindaraju, Sloan, Boyd and Manferdelli, Fast scan algorithms
// on graphics processors, 2008): each lane of the first warp scans a row, the values of consecutive threads, and the
// warp scans what the rows come to. The other warps only store their values and load their results. Where
// vendor_paths.hpp says that threads read all results, on NVIDIA.
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/detail/block_threads.hpp"
#include "warpz/detail/collectives.hpp"
#include "warpz/detail/operators.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/detail/shared_value.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/detail/unroll.hpp"

namespace warpz {
namespace detail {

/// Rows of values, in pieces of 16 bytes. The pieces of a row change places so that neither the threads' values nor the
/// lanes' pieces share a bank of shared memory.
template <unsigned row_values, class _Tp>
struct raking_memory {
  static constexpr unsigned rows = 32;
  static constexpr unsigned piece_values = row_values * sizeof(_Tp) < 16 ? row_values : 16 / sizeof(_Tp);
  static constexpr unsigned row_pieces = row_values / piece_values;
  static constexpr unsigned rows_of_all_banks = row_pieces < 8 ? 8 / row_pieces : 1;
  using piece = shared_values<piece_values, _Tp>;

  piece pieces[rows * row_pieces];
  shared_value<_Tp> before[rows];

  __device__ __forceinline__ piece& of(unsigned row, unsigned i) {
    return pieces[row * row_pieces + (i ^ (row / rows_of_all_banks & (row_pieces - 1)))];
  }

  __device__ __forceinline__ shared_value<_Tp>& value(unsigned row, unsigned place) {
    return of(row, place / piece_values).of[place % piece_values];
  }
};

template <unsigned row_values, class _Tp>
__device__ __forceinline__ raking_memory<row_values, _Tp>* shared_raking_memory() {
  __shared__ raking_memory<row_values, _Tp> all;
  return keep_shared(&all);
}

/// Whether it takes less time than another scan, and not only less of the GPU. Additions of doubles take so long that
/// an inclusive scan had better do as few as it can one after the other.
template <bool exclusive, class _Tp>
inline constexpr bool has_fast_raking = exclusive || !std::is_same<_Tp, double>::value;

/// `start` comes before the first row. One lane scans its row, of which the others need no more than the sum, and the
/// warp the rows. Values of threads that the block has not are of no use to any other.
template <unsigned row_values, class _Tp>
__device__ __forceinline__ void rake(raking_memory<row_values, _Tp>* all, unsigned lane, _Tp start, const site& at) {
  using memory = raking_memory<row_values, _Tp>;
  decltype(in_word(start)) x[row_values];
  WARPZ_UNROLL
  for (unsigned i = 0; i < memory::row_pieces; ++i) {
    _Tp part[memory::piece_values];
    all->of(lane, i).read(part);
    WARPZ_UNROLL
    for (unsigned k = 0; k < memory::piece_values; ++k) x[i * memory::piece_values + k] = in_word(part[k]);
  }
  const auto add = [](auto a, auto b) { return combine_if(true, a, b, plus{}); };
  // Up a tree to the row's sum, and, while the first shuffle is under way, down again.
  WARPZ_UNROLL
  for (unsigned step = 1; step < row_values; step *= 2) {
    WARPZ_UNROLL
    for (unsigned i = 2 * step - 1; i < row_values; i += 2 * step) x[i] = add(x[i - step], x[i]);
  }
  auto sum = x[row_values - 1], before = in_word(lane == 0 ? start : adds_nothing<_Tp>());
  auto other = short_up<0>(sum, 1, full_mask, at);
  WARPZ_UNROLL
  for (unsigned step = row_values / 4; step > 0; step /= 2) {
    WARPZ_UNROLL
    for (unsigned i = 3 * step - 1; i < row_values; i += 2 * step) x[i] = add(x[i - step], x[i]);
  }
  WARPZ_UNROLL
  for (unsigned i = 0; i < memory::row_pieces; ++i) {
    _Tp part[memory::piece_values];
    WARPZ_UNROLL
    for (unsigned k = 0; k < memory::piece_values; ++k) part[k] = from_scan(x[i * memory::piece_values + k]);
    all->of(lane, i).write(part);
  }
  // A lane adds what it gets both to its sum and to what comes before it: so the exclusive scan takes no more shuffles.
  WARPZ_UNROLL
  for (unsigned stride = 1; stride < memory::rows; stride *= 2) {
    if (stride > 1) other = short_up<0>(sum, stride, full_mask, at);
    sum = combine_if(lane >= stride, other, sum, plus{});
    before = combine_if(lane >= stride, other, before, plus{});
  }
  all->before[lane].set(from_scan(before));
}

template <bool exclusive, unsigned threads, class _Tp>
__device__ __forceinline__ _Tp scan_by_raking(_Tp v, const site& at) {
  constexpr unsigned row_values = max_warps<threads>;
  auto* const all = shared_raking_memory<row_values, _Tp>();
  const unsigned thread = thread_in_block<threads>(), row = thread / row_values, place = thread % row_values;
  const bool is_first = exclusive && place == 0;
  shared_value<_Tp>* const mine = keep_shared(&all->value(row, place));
  const shared_value<_Tp>* const in_row = keep_shared(&all->value(row, exclusive && !is_first ? place - 1 : place));
  const shared_value<_Tp>* const before = keep_shared(&all->before[row]);
  mine->set(v);
  whole_block_barrier(at);
  if (thread < raking_memory<row_values, _Tp>::rows) {
    rake(all, thread, exclusive ? zero<_Tp>() : adds_nothing<_Tp>(), at);
  }
  block_barrier(at);
  return plus{}(before->get(v), is_first ? adds_nothing<_Tp>() : in_row->get(v));
}

}  // namespace detail
}  // namespace warpz
