// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sort of keys that a single block sorts, in shared memory: as many as there is room for. Passes through memory,
// and blocks that wait for each other, would take several times as long.
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/block.hpp"
#include "warpz/detail/device_sort_tile.hpp"
#include "warpz/detail/device_tiles.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/detail/unroll.hpp"
#include "warpz/sync.hpp"

namespace warpz {
namespace detail {

/// The key of 8 bits with this digit.
template <class _Tp>
__device__ __forceinline__ _Tp key_of_digit(unsigned digit) {
  return static_cast<_Tp>(std::is_signed<_Tp>::value ? digit ^ digit_values / 2 : digit);
}

/// Sorted keys of 8 bits from `place` on, given where the first key with each digit belongs.
template <class _Tp>
__device__ __forceinline__ access<_Tp> keys_at(unsigned place, const unsigned (&first)[digit_values]) {
  // The last digit whose keys begin here or before: those that begin at the same place have none.
  unsigned digit = 0;
  for (unsigned step = digit_values / 2; step != 0; step /= 2) {
    if (first[digit + step] <= place) digit += step;
  }
  const auto end_of = [&](unsigned of) { return of == digit_values - 1 ? ~0U : first[of + 1]; };
  unsigned end = end_of(digit);
  access<_Tp> part{};
  WARPZ_UNROLL
  for (unsigned i = 0; i < access<_Tp>::count; ++i) {
    while (place + i >= end) end = end_of(++digit);
    part.set(i, key_of_digit<_Tp>(digit));
  }
  return part;
}

/// Counts keys of 8 bits, and writes as many of each as there are.
template <class _Tp>
__device__ __forceinline__ void sort_block_by_counts(_Tp* output, const _Tp* input, unsigned size, const site& at) {
  auto& count = shared_sort_memory<_Tp>().count[0];
  auto& first_of = shared_sort_memory<_Tp>().offset;
  constexpr unsigned in_access = access<_Tp>::count, step = device::block_threads * in_access;
  const unsigned thread = thread_in_tile();
  count[thread] = 0;
  block_barrier(at);
  for (unsigned place = thread * in_access; place < size; place += step) {
    const access<_Tp> part = load_narrow(input + place, size - place, _Tp{});
    WARPZ_UNROLL
    for (unsigned i = 0; i < in_access; ++i) {
      if (place + i < size) atomicAdd(&count[digit_of(part.get(i), 0)], 1U);
    }
  }
  block_barrier(at);
  first_of[thread] = block::prefix_sum<true, device::block_threads>(count[thread], at);
  block_barrier(at);
  for (unsigned place = thread * in_access; place < size; place += step) {
    store_narrow(output + place, size - place, keys_at<_Tp>(place, first_of));
  }
}

/// Sorts by all digits, with so many rows of keys in each warp: as few as there are keys for, of those that have code.
template <unsigned rows, class _Tp>
__device__ __forceinline__ void sort_block_by_digits(_Tp* output, const _Tp* input, unsigned size, const site& at) {
  constexpr unsigned fewer = (rows + 1) / 2, least = 4;
  if constexpr (rows > least && this_platform != platform::cpu) {
    if (size <= fewer * device::block_threads) {
      sort_block_by_digits<fewer>(output, input, size, at);
      return;
    }
  }
  sort_memory<_Tp>& shared = shared_sort_memory<_Tp>();
  warp_keys<_Tp, rows> keys WARPZ_SET_IN_LOOP;
  keys.load(input, size);
  for (digit_pass<_Tp> pass{0};;) {
    const unsigned own = count_in_block(keys, pass, at);
    set_places<_Tp>(block::prefix_sum<true, device::block_threads>(own, at), at);
    keys.store(shared.key, shared.count[warp_in_tile()], pass, at);
    block_barrier(at);
    if (++pass.number == sizeof(_Tp)) break;
    keys.load(shared.key, size);  // those that don't exist were the last ones, and are so again
  }
  for (unsigned i = thread_in_tile(); i < size; i += device::block_threads) output[i] = shared.key[i];
}

/// Sorts so many keys, at most sort_block_keys. All threads of the block take part.
template <class _Tp>
__device__ __forceinline__ void sort_in_block(_Tp* output, const _Tp* input, unsigned size, const site& at) {
  if constexpr (sizeof(_Tp) == 1) {
    sort_block_by_counts(output, input, size, at);
  } else {
    sort_block_by_digits<sort_block_items<_Tp>>(output, input, size, at);
  }
}

}  // namespace detail
}  // namespace warpz
