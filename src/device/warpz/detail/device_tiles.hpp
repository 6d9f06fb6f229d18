// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the operations of warpz/device.hpp share: a block's tile of an array, as rows of 16-byte accesses, and the
// tickets by which blocks take tiles.
//
//     tile            warp 0                      warp 1             …
//     rows of it      row 0 | row 1 | row 2 | …   row 0 | row 1 | …
//     row             lane 0: 16 bytes | lane 1: 16 bytes | …
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <type_traits>

#include "warpz/block.hpp"
#include "warpz/detail/block_threads.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/detail/unroll.hpp"
#include "warpz/device_state.hpp"

namespace warpz {
namespace detail {

/// Types of 8 and 16 bits.
template <class _Tp>
inline constexpr bool is_narrow = sizeof(_Tp) < sizeof(unsigned);

/// What a lane loads or stores at once.
template <class _Tp, bool narrow = is_narrow<_Tp>>
struct alignas(access_bytes) access {
  static constexpr unsigned count = access_elements<_Tp>;
  _Tp element[count];

  __device__ __forceinline__ _Tp get(unsigned i) const { return element[i]; }
  __device__ __forceinline__ void set(unsigned i, _Tp v) { element[i] = v; }
};

/// Narrow elements stay together in words until they are wanted: compilers would give each a register of its own, and
/// there are not that many.
template <class _Tp>
struct alignas(access_bytes) access<_Tp, true> {
  static constexpr unsigned count = access_elements<_Tp>, in_word = sizeof(unsigned) / sizeof(_Tp);
  unsigned word[access_bytes / sizeof(unsigned)];

  __device__ __forceinline__ _Tp get(unsigned i) const {
    const auto bits = static_cast<element_bits>(word[i / in_word] >> shift(i));
    _Tp v;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
  }
  /// An access without any element has to begin as {}.
  __device__ __forceinline__ void set(unsigned i, _Tp v) {
    element_bits bits;
    __builtin_memcpy(&bits, &v, sizeof v);
    word[i / in_word] = (word[i / in_word] & ~(all_bits << shift(i))) | static_cast<unsigned>(bits) << shift(i);
  }

 private:
  using element_bits = std::conditional_t<sizeof(_Tp) == 1, unsigned char, unsigned short>;
  static constexpr unsigned all_bits = static_cast<element_bits>(~0U);
  __device__ __forceinline__ static constexpr unsigned shift(unsigned i) { return i % in_word * 8 * sizeof(_Tp); }
};

/// The same elements, of which the compiler does not know that it has computed with them before: results of narrow ones
/// take more registers than they do.
template <class _Tp>
__device__ __forceinline__ access<_Tp> afresh(access<_Tp> part) {
  if constexpr (is_narrow<_Tp>) {
    WARPZ_UNROLL
    for (unsigned& each : part.word) hide_origin_anew(each);
  }
  return part;
}

__device__ __forceinline__ void require_device_block(const site& at) {
  require(blockDim.x == device::block_threads && blockDim.y * blockDim.z == 1,
          "a block has device::block_threads threads, all in x", at);
}

// For a block of device::block_threads threads, all in x.
__device__ __forceinline__ unsigned thread_in_tile() { return thread_in_block<device::block_threads>(); }
__device__ __forceinline__ unsigned warp_in_tile() { return warp_in_block<device::block_threads>(); }
__device__ __forceinline__ unsigned warps_in_tile() { return block_warps<device::block_threads>(); }

/// With warps of 32.
inline constexpr unsigned max_tile_warps = device::block_threads / 32;

/// The counters at the beginning of a state; zeros before the first launch.
struct device_counters {
  unsigned long long tickets;     ///< tiles that were taken; in the upper half, the number of the launch
  unsigned long long counted[2];  ///< by launches with even and with odd numbers: for an operation's own use
  unsigned arrived;               ///< blocks that have done their part
  unsigned unused;
};
static_assert(sizeof(device_counters) == counter_words * sizeof(unsigned), "device_state.hpp leaves room for them");

/// The right to a tile that nobody else takes, and in which launch that is.
struct ticket {
  unsigned number, launch;
};

/// How a block takes tiles: one after the other. A block that holds a ticket keeps all later ones waiting, so it draws
/// the next one when it is done with its own.
///
/// Launches are numbered, and what blocks tell each other has the number beside it. So nothing of it has to be cleared
/// for the next launch, of any size.
class ticket_drawer {
 public:
  /// All threads of the block make one.
  __device__ __forceinline__ explicit ticket_drawer(device_counters* counters) : counters_(counters) { draw(); }

  /// Draws the next ticket. All threads of the block take part; nobody waits.
  __device__ __forceinline__ void draw() {
    if (thread_in_tile() == 0) next_ = atomicAdd(&counters_->tickets, 1ULL);
  }

  /// The ticket that was drawn, in all threads of the block, which all take part.
  __device__ __forceinline__ ticket drawn(const site& at) const {
    return ticket_of(block::broadcast<device::block_threads>(next_, 0, at));
  }

  /// For thread 0 alone, which may pass the number on.
  __device__ __forceinline__ unsigned long long drawn_by_first() const { return next_; }

  __device__ __forceinline__ static ticket ticket_of(unsigned long long word) {
    return {static_cast<unsigned>(word), static_cast<unsigned>(word >> 32)};
  }

  /// To be called when the block has drawn its first ticket that is none of the launch's `tickets`. Each block draws
  /// one of those, and so whoever draws the last one knows that nobody looks at the counters any more, and readies them
  /// for the next launch.
  __device__ __forceinline__ void finish(std::size_t tickets) const {
    if (thread_in_tile() != 0) return;
    const ticket last = ticket_of(next_);
    if (last.number - tickets != std::size_t{gridDim.x} * gridDim.y * gridDim.z - 1) return;
    const unsigned next = last.launch + 1;
    atomicExch(&counters_->counted[next % 2], 0ULL);
    atomicExch(&counters_->tickets, static_cast<unsigned long long>(next) << 32);
  }

 private:
  device_counters* counters_;
  unsigned long long next_ = 0;
};

/// The caller's first element of each row lies `row_stride` behind that of the row before.
template <class _Tp>
__device__ __forceinline__ unsigned row_stride() {
  return static_cast<unsigned>(warp_size()) * access<_Tp>::count;
}

/// The caller's first element in the block's tile.
template <class _Tp, unsigned rows>
__device__ __forceinline__ unsigned first_in_tile() {
  return (warp_in_tile() * rows * static_cast<unsigned>(warp_size()) + static_cast<unsigned>(lane_id())) *
         access<_Tp>::count;
}

/// Elements of the tile that exist: all `length` of it, or those up to the array's end.
__device__ __forceinline__ unsigned existing_in_tile(std::size_t size, std::size_t tile_first, unsigned length) {
  const std::size_t left = size - tile_first;
  if constexpr (this_platform == platform::amd) {
    // In 32 bits: clang 19 for gfx942 compares 64 bits into VCC and has what is in SCC choose.
    const unsigned low = left >> 32U == 0 ? static_cast<unsigned>(left) : length;
    return low < length ? low : length;
  }
  return left < length ? static_cast<unsigned>(left) : length;
}

// Narrow elements at the array's end are as many as take long one by one: all but the last ones come and go together.
// There, places are counted from the caller's own, since a compiler keeps those that are the same for all tiles.

/// How many of the elements from `place` on exist.
__device__ __forceinline__ unsigned existing_from(unsigned place, unsigned existing) {
  return place < existing ? existing - place : 0;
}

/// The narrow elements from `mine` on, of which so many exist; `neutral` in place of the others.
template <class _Tp>
__device__ __forceinline__ access<_Tp> load_narrow(const _Tp* mine, unsigned existing, _Tp neutral) {
  constexpr unsigned count = access<_Tp>::count;
  if (count <= existing) return *reinterpret_cast<const access<_Tp>*>(mine);
  access<_Tp> part{};
  WARPZ_UNROLL
  for (unsigned i = 0; i < count; ++i) part.set(i, i < existing ? mine[i] : neutral);
  return afresh(part);
}

/// Writes narrow elements from `mine` on, of which so many exist.
template <class _Tp>
__device__ __forceinline__ void store_narrow(_Tp* mine, unsigned existing, const access<_Tp>& part) {
  constexpr unsigned count = access<_Tp>::count;
  if (count <= existing) {
    store_streaming(reinterpret_cast<access<_Tp>*>(mine), part);
    return;
  }
  WARPZ_UNROLL
  for (unsigned i = 0; i < count; ++i) {
    if (i < existing) mine[i] = part.get(i);
  }
}

/// Loads the caller's rows of a tile of which all elements exist; false where some do not.
template <unsigned rows, class _Tp>
__device__ __forceinline__ bool load_whole(access<_Tp> (&row)[rows], const _Tp* tile, unsigned existing) {
  if (existing != device::block_threads * rows * access<_Tp>::count) return false;
  const unsigned first = first_in_tile<_Tp, rows>(), stride = row_stride<_Tp>();
  WARPZ_UNROLL
  for (unsigned r = 0; r < rows; ++r) row[r] = *reinterpret_cast<const access<_Tp>*>(tile + first + r * stride);
  return true;
}

/// The caller's rows of a tile, `neutral` in place of elements that do not exist.
template <unsigned rows, class _Tp>
__device__ __forceinline__ void load_rows(access<_Tp> (&row)[rows], const _Tp* tile, unsigned existing, _Tp neutral) {
  constexpr unsigned count = access<_Tp>::count;
  if (load_whole(row, tile, existing)) return;
  const unsigned first = first_in_tile<_Tp, rows>(), stride = row_stride<_Tp>();
  WARPZ_UNROLL
  for (unsigned r = 0; r < rows; ++r) {
    if constexpr (is_narrow<_Tp>) {
      const unsigned place = first + r * stride;
      row[r] = load_narrow(tile + place, existing_from(place, existing), neutral);
    } else {
      for (unsigned i = 0; i < count; ++i) {
        const unsigned place = first + r * stride + i;
        row[r].set(i, place < existing ? tile[place] : neutral);
      }
    }
  }
}

/// Asks for a tile that some block takes soon, so that it will find it in the L2 cache. One thread of each tile's block
/// calls it, when the tile has come and the block begins to wait for others: then memory has time for it.
///
/// The tile is so many KiB for each multiprocessor ahead. 80 were measured on an H200 and, with 64, on an H100: half as
/// many again push each other out of the L2 cache before they are read (docs/benchmarks.md).
template <unsigned length, unsigned kibibytes = 80, class _Tp>
__device__ __forceinline__ void prefetch_later_tile(const _Tp* input, std::size_t size, std::size_t tile_first) {
  constexpr unsigned bytes = length * sizeof(_Tp);
  const std::size_t first = tile_first + std::size_t{prefetch_distance(kibibytes) / bytes} * length;
  if (first + length <= size) bulk_prefetch(input + first, bytes);
}

/// Writes the caller's rows of a tile where elements exist; row(r) is one of them.
template <unsigned rows, class _Tp, class _Row>
__device__ __forceinline__ void store_rows(_Tp* tile, const _Row& row, unsigned existing) {
  constexpr unsigned count = access<_Tp>::count;
  const unsigned first = first_in_tile<_Tp, rows>(), stride = row_stride<_Tp>();
  if constexpr (is_narrow<_Tp>) {
    // The same code for all tiles: a compiler does not make all rows before it knows where they go.
    WARPZ_UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      const unsigned place = first + r * stride;
      store_narrow(tile + place, existing_from(place, existing), row(r));
    }
    return;
  }
  if (existing == device::block_threads * rows * count) {
    WARPZ_UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      store_streaming(reinterpret_cast<access<_Tp>*>(tile + first + r * stride), row(r));
    }
    return;
  }
  WARPZ_UNROLL
  for (unsigned r = 0; r < rows; ++r) {
    const access<_Tp> part = row(r);
    for (unsigned i = 0; i < count; ++i) {
      const unsigned place = first + r * stride + i;
      if (place < existing) tile[place] = part.get(i);
    }
  }
}

}  // namespace detail
}  // namespace warpz
