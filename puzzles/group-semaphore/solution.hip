// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>

#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

/// What the blocks hand to each other; all zero at the start.
struct queues {
  int tickets;           ///< how many blocks have begun
  std::int32_t turn[2];  ///< the ticket of the block that may go on, for each kind
  int count[2];          ///< how many elements the blocks before have, for each kind
};

/// Numbers the negative elements of the whole array, and the others, each kind from 0. A block's first warp numbers the
/// others, its second warp the negative ones, and neither waits for the other.
__global__ void number_in_kind(float* output, const float* input, void* memory, int size) {
  queues* const state = static_cast<queues*>(memory);
  __shared__ int ticket;
  if (threadIdx.x == 0) ticket = atomicAdd(&state->tickets, 1);
  warpz::barrier();

  const int lane = warp::lane_id();
  const int kind = threadIdx.x / warp::size();
  const int rounds = (size - 1) / static_cast<int>(gridDim.x * warp::size()) + 1;
  const int start = ticket * rounds * warp::size() + lane;
  const auto mine = [=](int global_i) { return global_i < size && (input[global_i] < 0.0f) == (kind == 1); };

  // How many elements of this warp's kind the block's part has.
  int count = 0;
  for (int round = 0; round < rounds; ++round) count += __popcll(warp::vote(mine(start + round * warp::size())));

  // A queue for each kind. Its warps wait and go on as a group, by a barrier of their own name.
  warpz::named_barrier_semaphore turn(&state->turn[kind], lane, warp::size(), 1 + kind);
  if (kind == 0) {
    turn.wait_eq(0, ticket);
  } else {
    turn.wait_lt(0, ticket);  // as good: nobody passes the turn on but this warp
  }
  int before = 0;
  if (lane == 0) {
    before = state->count[kind];
    state->count[kind] = before + count;
  }
  before = warp::broadcast(before);
  turn.arrive_set(0, ticket + 1);

  for (int round = 0; round < rounds; ++round) {
    const int global_i = start + round * warp::size();
    const bool is_mine = mine(global_i);
    const int place = warp::partition(lane, is_mine);
    if (is_mine) output[global_i] = static_cast<float>(before + place);
    before += __popcll(warp::vote(is_mine));
  }
}

WARPZ_KERNEL(number_in_kind);
