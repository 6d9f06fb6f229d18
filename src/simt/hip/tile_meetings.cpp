// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Meetings of the warps of a tile. A block stays on one thread of the system, which runs one after the other.
#include "hip/detail/tile_meetings.h"

#include <algorithm>
#include <atomic>

#include "simt/hip/devices.hpp"
#include "simt/instrumented.hpp"
#include "simt/machine/block.hpp"

namespace simt {
namespace hip {
namespace {

constexpr unsigned smallest_tile = 64;

struct meeting_place {
  unsigned arrived = 0;  ///< warps
  std::uint64_t meetings = 0;
};

/// Of the block that runs on this thread. Tiles of each size have places of their own: 16 of 64 threads, 8 of 128, ….
struct block_tiles {
  std::uint64_t block = 0;   ///< as lane::block_serial
  std::uint64_t number = 0;  ///< differs from those of all other blocks
  meeting_place places[2 * max_threads_per_block / smallest_tile];
  std::uint64_t words[max_threads_per_block];
};

std::atomic<std::uint64_t> blocks_with_tiles{0};

block_tiles& tiles_of_block() {
  static thread_local block_tiles only;
  if (only.block != *this_lane->block_serial) {
    only.block = *this_lane->block_serial;
    only.number = ++blocks_with_tiles;
    std::fill(std::begin(only.places), std::end(only.places), meeting_place{});
  }
  return only;
}

unsigned this_thread_of_block() { return static_cast<const fiber*>(this_lane)->thread; }

/// Tiles of a size are behind those of the next larger one.
unsigned place_of(unsigned size) { return max_threads_per_block / size + this_thread_of_block() / size; }

unsigned warps_of(unsigned size) {
  const block& whole = *this_lane->warp->block;
  const unsigned first = this_thread_of_block() / size * size;
  return (std::min(size, whole.lane_count() - first) + whole.warp_size() - 1) / whole.warp_size();
}

/// Names a meeting to the checks: no address of anything, nor the name of the meeting before or after.
const void* name_of(const block_tiles& tiles, unsigned size, std::uint64_t meeting) {
  constexpr std::uint64_t no_address = std::uint64_t{1} << 63;
  const std::uint64_t name = (tiles.number * std::size(tiles.places) + place_of(size)) * 2 + meeting % 2;
  return reinterpret_cast<const void*>(no_address | name);
}

}  // namespace

std::uint64_t arrive_at_tile(unsigned size) {
  block_tiles& tiles = tiles_of_block();
  meeting_place& place = tiles.places[place_of(size)];
  const std::uint64_t meeting = place.meetings;
  release_word(name_of(tiles, size, meeting));
  if (++place.arrived == warps_of(size)) {
    place.arrived = 0;
    ++place.meetings;
    note_access(&place.meetings, access_effect::changed);
  }
  return meeting;
}

bool has_tile_met(unsigned size, std::uint64_t meeting) {
  return tiles_of_block().places[place_of(size)].meetings != meeting;
}

void leave_tile(unsigned size, std::uint64_t meeting) { acquire_word(name_of(tiles_of_block(), size, meeting)); }

void show_word(std::uint64_t word) { tiles_of_block().words[this_thread_of_block()] = word; }

std::uint64_t word_of_thread(unsigned thread) { return tiles_of_block().words[thread]; }

}  // namespace hip
}  // namespace simt
