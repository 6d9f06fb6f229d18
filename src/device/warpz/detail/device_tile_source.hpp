// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a block that takes each tile once has its tiles from: the next one, by ticket.
//
// Where there is an engine for bulk copies a tile comes to shared memory and stays there, so that registers do not
// limit how many blocks there are at once: the more of an array is under way, the less it matters that tiles wait for
// others. Elsewhere a thread has its part of the tile in registers.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/async_copy.hpp"
#include "warpz/block.hpp"
#include "warpz/detail/device_tiles.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/detail/unroll.hpp"
#include "warpz/mbarrier.hpp"

namespace warpz {
namespace detail {

template <class _Tp, unsigned rows>
struct alignas(128) tile_memory {
  access<_Tp> part[rows * device::block_threads];
  mbarrier has_come;
  unsigned long long ticket;
};

template <class _Tp, unsigned rows>
__device__ __forceinline__ tile_memory<_Tp, rows>& shared_tile_memory() {
  __shared__ tile_memory<_Tp, rows> all;
  return all;
}

/// All threads of the block make one, and call next() and, between two calls, draw a ticket.
template <class _Tp, unsigned rows>
class tile_source {
 public:
  static constexpr unsigned length = tile_elements<_Tp, rows>;

  __device__ __forceinline__ tile_source(const _Tp* input, std::size_t size, const ticket_drawer& tickets,
                                         const site& at)
      : input_(input), size_(size), tickets_(tickets) {
    if constexpr (copies_in_bulk) {
      if (is_first()) shared_tile_memory<_Tp, rows>().has_come.init(1, at);
    }
  }

  /// Waits for the next tile, with `neutral` in place of elements that do not exist; returns its ticket, or one behind
  /// the last tile if there is none.
  __device__ __forceinline__ ticket next(_Tp neutral, const site& at) {
    if constexpr (copies_in_bulk) {
      tile_memory<_Tp, rows>& shared = shared_tile_memory<_Tp, rows>();
      block_barrier(at);  // nobody reads the tile before
      if (is_first()) {
        shared.ticket = tickets_.drawn_by_first();
        const unsigned tile = ticket_drawer::ticket_of(shared.ticket).number;
        if (is_whole(tile)) {
          shared.has_come.arrive_expect_tx(length * sizeof(_Tp), at);
          async_bulk_copy(shared.part, input_ + std::size_t{tile} * length, length * sizeof(_Tp), shared.has_come, at);
        }
      }
      block_barrier(at);
      const ticket drawn = ticket_drawer::ticket_of(shared.ticket);
      if (is_whole(drawn.number)) {
        while (!shared.has_come.try_wait_parity(parity_, at)) {
        }
        parity_ ^= 1;
      } else if (drawn.number < parts_of(size_, length)) {
        access<_Tp> row[rows] WARPZ_SET_IN_LOOP;
        const std::size_t first = std::size_t{drawn.number} * length;
        load_rows(row, input_ + first, static_cast<unsigned>(size_ - first), neutral);
        for (unsigned r = 0; r < rows; ++r) shared.part[place(r)] = row[r];
      }
      return drawn;
    } else {
      const ticket drawn = tickets_.drawn(at);
      if (drawn.number >= parts_of(size_, length)) return drawn;
      const std::size_t first = std::size_t{drawn.number} * length;
      load_rows(row_, input_ + first, existing_in_tile(size_, first, length), neutral);
      return drawn;
    }
  }

  /// Asks for a later tile: when this one has come. All threads call it.
  __device__ __forceinline__ void prefetch(unsigned tile) const {
    if (is_first()) prefetch_later_tile<length>(input_, size_, std::size_t{tile} * length);
  }

  /// The caller's elements in a row of the tile.
  __device__ __forceinline__ access<_Tp> row(unsigned r) const {
    if constexpr (copies_in_bulk) {
      return shared_tile_memory<_Tp, rows>().part[place(r)];
    } else {
      return row_[r];
    }
  }

 private:
  __device__ __forceinline__ static bool is_first() { return thread_in_tile() == 0; }

  __device__ __forceinline__ bool is_whole(unsigned tile) const { return (std::size_t{tile} + 1) * length <= size_; }

  /// Of the caller's part of a row.
  __device__ __forceinline__ static unsigned place(unsigned r) {
    return first_in_tile<_Tp, rows>() / access<_Tp>::count + r * static_cast<unsigned>(warp_size());
  }

  const _Tp* input_;
  std::size_t size_;
  const ticket_drawer& tickets_;
  access<_Tp> row_[copies_in_bulk ? 1 : rows];
  unsigned parity_ = 0;
};

}  // namespace detail
}  // namespace warpz
