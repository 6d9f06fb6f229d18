// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scan of a block of known size by raking (Dotsenko, Govindaraju, Sloan, Boyd and Manferdelli, Fast scan algorithms
// on graphics processors, 2008): each lane of the first warp scans a row, the values of consecutive threads, and the
// warp scans what the rows come to. The other warps only store their values and load their results. For
// blocks of which vendor_paths.hpp says that threads read all results: on NVIDIA.
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

/// Rows of values, in pieces of 16 bytes. The pieces of a row change places, in another way after each so many rows as
/// fill all banks of shared memory once: so neither the threads' values nor the lanes' pieces share a bank.
template <unsigned row_values, class _Tp>
struct raking_memory {
  static constexpr unsigned rows = 32;
  static constexpr unsigned piece_values = row_values * sizeof(_Tp) < 16 ? row_values : 16 / sizeof(_Tp);
  static constexpr unsigned row_pieces = row_values / piece_values;
  static constexpr unsigned rows_in_all_banks = row_pieces < 8 ? 8 / row_pieces : 1;
  using piece = shared_values<piece_values, _Tp>;

  piece pieces[rows * row_pieces];
  shared_value<_Tp> before[rows];

  __device__ __forceinline__ piece& of(unsigned row, unsigned i) {
    return pieces[row * row_pieces + (i ^ (row / rows_in_all_banks & (row_pieces - 1)))];
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

/// Whether a block alone is as fast by raking as by another scan. Doubles take so long to add that an inclusive scan
/// had better add as few as it can one after the other.
template <bool exclusive, class _Tp>
inline constexpr bool has_fast_raking = exclusive || !std::is_same<_Tp, double>::value;

/// Adds without a condition, in words where combine_if does.
struct plus_in_words {
  template <class _Tp>
  __device__ __forceinline__ _Tp operator()(_Tp a, _Tp b) const {
    return combine_if(true, a, b, plus{});
  }
};

/// Up a tree, to the row's sum in its last value.
template <class _Tp, unsigned row_values>
__device__ __forceinline__ void to_sums(_Tp (&x)[row_values]) {
  WARPZ_UNROLL
  for (unsigned step = 1; step < row_values; step *= 2) {
    WARPZ_UNROLL
    for (unsigned i = 2 * step - 1; i < row_values; i += 2 * step) x[i] = plus_in_words{}(x[i - step], x[i]);
  }
}

/// Down again: each value becomes the sum of those up to it.
template <class _Tp, unsigned row_values>
__device__ __forceinline__ void to_prefixes(_Tp (&x)[row_values]) {
  WARPZ_UNROLL
  for (unsigned step = row_values / 4; step > 0; step /= 2) {
    WARPZ_UNROLL
    for (unsigned i = 3 * step - 1; i < row_values; i += 2 * step) x[i] = plus_in_words{}(x[i - step], x[i]);
  }
}

template <unsigned row_values, class _Tp, class _Word>
__device__ __forceinline__ void read_row(raking_memory<row_values, _Tp>* all, unsigned row, _Word (&x)[row_values]) {
  constexpr unsigned piece_values = raking_memory<row_values, _Tp>::piece_values;
  WARPZ_UNROLL
  for (unsigned first = 0; first < row_values; first += piece_values) {
    _Tp part[piece_values];
    all->of(row, first / piece_values).read(part);
    WARPZ_UNROLL
    for (unsigned k = 0; k < piece_values; ++k) x[first + k] = in_word(part[k]);
  }
}

/// Gives each thread its own prefix, in the place that nobody else touches: its neighbor may be in the next operation
/// before it has read that.
template <bool exclusive, unsigned row_values, class _Tp, class _Word>
__device__ __forceinline__ void write_row(raking_memory<row_values, _Tp>* all, unsigned row,
                                          const _Word (&prefix)[row_values]) {
  constexpr unsigned piece_values = raking_memory<row_values, _Tp>::piece_values;
  WARPZ_UNROLL
  for (unsigned first = 0; first < row_values; first += piece_values) {
    _Tp part[piece_values];
    WARPZ_UNROLL
    for (unsigned k = 0; k < piece_values; ++k) {
      const unsigned i = first + k;
      part[k] = !exclusive ? from_word(prefix[i]) : i == 0 ? adds_nothing<_Tp>() : from_word(prefix[i - 1]);
    }
    all->of(row, first / piece_values).write(part);
  }
}

/// `start` comes before all. One lane scans its row, of which the others need no more than the sum, and the warp the
/// rows. Values of threads that the block has not are of no use to any other.
template <bool exclusive, unsigned row_values, class _Tp>
__device__ __forceinline__ void rake(raking_memory<row_values, _Tp>* all, unsigned lane, _Tp start, const site& at) {
  using memory = raking_memory<row_values, _Tp>;
  decltype(in_word(start)) x[row_values];
  read_row(all, lane, x);
  to_sums(x);
  auto sum = x[row_values - 1], before = in_word(start);
  // A lane adds what it gets both to its sum and to what comes before it: so the exclusive scan takes no more shuffles.
  WARPZ_UNROLL
  for (unsigned stride = 1; stride < memory::rows; stride *= 2) {
    const auto other = short_up<0>(sum, stride, full_mask, at);
    // While the first two shuffles are under way.
    if (stride == 1) to_prefixes(x);
    if (stride == 2) write_row<exclusive>(all, lane, x);
    sum = combine_if(lane >= stride, other, sum, plus{});
    before = combine_if(lane >= stride, other, before, plus{});
  }
  all->before[lane].set(from_word(before));
}

template <bool exclusive, unsigned threads, class _Tp>
__device__ __forceinline__ _Tp scan_by_raking(_Tp v, const site& at) {
  constexpr unsigned row_values = max_warps<threads>;
  auto* const all = shared_raking_memory<row_values, _Tp>();
  const unsigned thread = thread_in_block<threads>(), row = thread / row_values, place = thread % row_values;
  shared_value<_Tp>* const mine = keep_shared(&all->value(row, place));
  const shared_value<_Tp>* const before = keep_shared(&all->before[row]);
  mine->set(v);
  whole_block_barrier(at);
  if (thread < raking_memory<row_values, _Tp>::rows) {
    rake<exclusive>(all, thread, exclusive ? zero<_Tp>() : adds_nothing<_Tp>(), at);
  }
  block_barrier(at);
  return plus{}(before->get(v), mine->get(v));
}

}  // namespace detail
}  // namespace warpz
