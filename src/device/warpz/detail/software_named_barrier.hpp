// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named barriers where the hardware has none: counters in shared memory, one for each of the 15 names.
//
// Nobody sets them up beforehand. Shared memory holds anything when a block begins, so the first warp that uses a
// named barrier clears all of them and leaves the block's identity beside them, by which the others see that it is
// done. The platform's header gives block_identity(), read_shared(), write_shared(),
// replace_shared(), require() and pause().
#pragma once

#include <cstdint>

#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"
#include "warpz/scope.hpp"

namespace warpz {
namespace detail {

struct named_barriers {
  std::uint64_t owner;  ///< the block that has cleared the counters, or is about to
  unsigned state[16];   ///< low half: threads that have arrived in this phase; high half: phases completed
};

inline constexpr unsigned arrived_bits = 0xffff;
inline constexpr unsigned phase_step = arrived_bits + 1;

__device__ __forceinline__ named_barriers& shared_named_barriers() {
  __shared__ named_barriers all;
  return all;
}

__device__ __forceinline__ named_barriers& begin_named_barriers(const site& at) {
  named_barriers& all = shared_named_barriers();
  const std::uint64_t clearing = block_identity(), cleared = clearing | 1;
  std::uint64_t seen = read_shared(&all.owner);
  while (seen != cleared) {
    if (seen != clearing && replace_shared(&all.owner, seen, clearing, at)) {
      for (unsigned& each : all.state) write_shared(&each, 0u);
      fence<scope::block>(at);
      write_shared(&all.owner, cleared);
      break;
    }
    pause(at);
    seen = read_shared(&all.owner);
  }
  fence<scope::block>(at);
  return all;
}

/// Arrives with a whole warp; the number of the phase in which it did.
__device__ __forceinline__ unsigned arrive_at(unsigned& state, unsigned threads, const site& at) {
  unsigned before = read_shared(&state);
  for (;;) {
    const unsigned arrived = (before & arrived_bits) + static_cast<unsigned>(warp_size());
    require(arrived <= threads, "no more threads arrive at a named barrier than it waits for", at);
    const unsigned phases = before & ~arrived_bits;
    const unsigned after = arrived == threads ? phases + phase_step : phases | arrived;
    if (replace_shared(&state, before, after, at)) return before / phase_step;
  }
}

__device__ __forceinline__ void require_named_barrier(unsigned id, unsigned threads, const site& at) {
  require(id >= 1 && id <= 15, "a named barrier's id is 1 to 15", at);
  require(threads != 0 && threads % static_cast<unsigned>(warp_size()) == 0,
          "a named barrier waits for whole warps: its number of threads is a multiple of the warp size", at);
}

__device__ __forceinline__ void named_barrier_arrive(unsigned id, unsigned threads, const site& at) {
  require_named_barrier(id, threads, at);
  fence<scope::block>(at);
  warp_barrier(full_mask, at);
  if (lane_id() == 0) arrive_at(begin_named_barriers(at).state[id], threads, at);
  warp_barrier(full_mask, at);
}

__device__ __forceinline__ void named_barrier(unsigned id, unsigned threads, const site& at) {
  require_named_barrier(id, threads, at);
  fence<scope::block>(at);
  warp_barrier(full_mask, at);
  if (lane_id() == 0) {
    unsigned& state = begin_named_barriers(at).state[id];
    const unsigned phase = arrive_at(state, threads, at);
    while (read_shared(&state) / phase_step == phase) pause(at);
  }
  warp_barrier(full_mask, at);
  fence<scope::block>(at);
}

}  // namespace detail
}  // namespace warpz
