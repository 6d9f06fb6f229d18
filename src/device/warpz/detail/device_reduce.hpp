// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of warpz/device.hpp: each chunk of the array has a result of its own, whichever block comes to make it,
// and the block that arrives last reduces those.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/block.hpp"
#include "warpz/detail/device_tiles.hpp"
#include "warpz/detail/operators.hpp"
#include "warpz/detail/unroll.hpp"
#include "warpz/sync.hpp"

namespace warpz {
namespace detail {

// Each says what elements that do not exist are replaced with, given one that does; how two are combined; and how a
// block's are.

struct device_sum : plus {
  template <class _Tp>
  __device__ __forceinline__ _Tp neutral(_Tp) const {
    return adds_nothing<_Tp>();
  }
  template <class _Tp>
  __device__ __forceinline__ _Tp of_block(_Tp v, const site& at) const {
    return block::sum<false>(v, at);
  }
};

struct device_max : max_operation {
  template <class _Tp>
  __device__ __forceinline__ _Tp neutral(_Tp existing) const {
    return existing;
  }
  template <class _Tp>
  __device__ __forceinline__ _Tp of_block(_Tp v, const site& at) const {
    return block::max<false>(v, at);
  }
};

struct device_min : min_operation {
  template <class _Tp>
  __device__ __forceinline__ _Tp neutral(_Tp existing) const {
    return existing;
  }
  template <class _Tp>
  __device__ __forceinline__ _Tp of_block(_Tp v, const site& at) const {
    return block::min<false>(v, at);
  }
};

/// The caller's rows of a tile, `neutral` in place of accesses of which not all elements exist.
template <unsigned rows, class _Tp>
__device__ __forceinline__ void load_accesses(access<_Tp> (&row)[rows], const _Tp* tile, unsigned existing,
                                              _Tp neutral) {
  constexpr unsigned count = access<_Tp>::count;
  if (load_whole(row, tile, existing)) return;
  const unsigned first = first_in_tile<_Tp, rows>(), stride = row_stride<_Tp>();
  access<_Tp> none{};
  for (unsigned i = 0; i < count; ++i) none.set(i, neutral);
  WARPZ_UNROLL
  for (unsigned r = 0; r < rows; ++r) {
    const unsigned place = first + r * stride;
    row[r] = none;
    if (place + count <= existing) row[r] = *reinterpret_cast<const access<_Tp>*>(tile + place);
  }
}

/// Whether the element at that place of a tile is in one of the caller's accesses.
template <class _Tp, unsigned rows>
__device__ __forceinline__ bool is_of_caller(unsigned place) {
  const unsigned stride = row_stride<_Tp>(), lane = static_cast<unsigned>(lane_id());
  return place / (rows * stride) == warp_in_tile() && place % stride / access<_Tp>::count == lane;
}

/// Reduces the elements from `first` to before `end`, in thread 0 of the block, of which all threads take part: those
/// in the same place of each row of each tile first, so that several additions are under way.
template <class _Tp, class _Combine>
__device__ __forceinline__ wide<_Tp> reduce_chunk(const _Tp* input, std::size_t first, std::size_t end,
                                                  const _Combine& combine, const site& at) {
  constexpr unsigned count = access<_Tp>::count, length = tile_elements<_Tp, reduce_rows>;
  const _Tp neutral = combine.neutral(input[first]);
  const std::size_t begin = first;
  wide<_Tp> all[count];
  WARPZ_UNROLL
  for (unsigned i = 0; i < count; ++i) all[i] = static_cast<wide<_Tp>>(neutral);
  for (; first < end; first += length) {
    access<_Tp> row[reduce_rows] WARPZ_SET_IN_LOOP;
    load_accesses(row, input + first, existing_in_tile(end, first, length), neutral);
    WARPZ_UNROLL
    for (unsigned r = 0; r < reduce_rows; ++r) {
      row[r] = afresh(row[r]);
      WARPZ_UNROLL
      for (unsigned i = 0; i < count; ++i) {
        all[i] = combine(all[i], static_cast<wide<_Tp>>(row[r].get(i)));
      }
    }
  }
  // An access at the end that has some of its elements is the last one of its thread.
  if (end % count != 0 && is_of_caller<_Tp, reduce_rows>(static_cast<unsigned>((end - begin) % length))) {
    WARPZ_UNROLL
    for (unsigned i = 0; i + 1 < count; ++i) {
      if (i < end % count) all[i] = combine(all[i], static_cast<wide<_Tp>>(input[end / count * count + i]));
    }
  }
  wide<_Tp> result = all[0];
  WARPZ_UNROLL
  for (unsigned i = 1; i < count; ++i) result = combine(result, all[i]);
  return combine.of_block(result, at);
}

template <class _Tp, class _Combine>
__device__ __forceinline__ void reduce_device(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                              const _Combine& combine, const site& at) {
  static_assert(is_element<_Tp>, "for numbers of 8 to 64 bits");
  require_device_block(at);
  device_counters* const counters = static_cast<device_counters*>(state);
  wide<_Tp>* const results = reinterpret_cast<wide<_Tp>*>(counters + 1);
  const std::size_t length = chunk_elements<_Tp>(size), chunks = parts_of(size, length);
  for (std::size_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
    const std::size_t first = chunk * length, end = first + length < size ? first + length : size;
    const wide<_Tp> of_chunk = reduce_chunk(input, first, end, combine, at);
    if (thread_in_tile() != 0) continue;
    if (chunks == 1) {
      *output = static_cast<_Tp>(of_chunk);  // reduced once more it would have the same bits
    } else {
      results[chunk] = of_chunk;
    }
  }
  if (chunks == 1) return;

  // Whoever sees that this block has arrived sees its results, too.
  bool is_last = false;
  if (thread_in_tile() == 0) {
    threadfence<scope::device>(at);
    is_last = atomicAdd(&counters->arrived, 1U) == gridDim.x - 1;
    threadfence<scope::device>(at);
  }
  if (!block::broadcast(is_last, 0, at)) return;
  const wide<_Tp> result = reduce_chunk(results, 0, chunks, combine, at);
  if (thread_in_tile() == 0) {
    *output = static_cast<_Tp>(result);
    atomicExch(&counters->arrived, 0U);  // for the next launch
  }
}

}  // namespace detail
}  // namespace warpz
