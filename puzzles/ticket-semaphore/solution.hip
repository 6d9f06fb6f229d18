// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdint>

#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

/// What the blocks hand to each other; all zero at the start.
struct progress {
  int tickets;        ///< how many blocks have begun
  std::int32_t turn;  ///< the ticket of the block that may go on
  float record;       ///< the greatest element of the blocks before
};

/// Each element becomes the greatest one from the array's beginning up to it. A block needs what the block before
/// found, so they hand over in order.
__global__ void record_so_far(float* output, const float* input, void* memory, int size) {
  progress* const state = static_cast<progress*>(memory);
  // No number of a block says when it begins, and one that waits for a block which cannot begin waits for ever. So the
  // blocks take tickets as they come: all with a lower one are running.
  int ticket = 0;
  if (threadIdx.x == 0) ticket = atomicAdd(&state->tickets, 1);
  ticket = warp::broadcast(ticket);
  const int global_i = ticket * blockDim.x + threadIdx.x;
  const int last_lane = warp::size() - 1;

  // The records within the block need no other block. A NaN is no record: fmaxf takes the other operand.
  const float current_val = global_i < size ? input[global_i] : NAN;
  float record = warp::scan(
      current_val, [](float a, float b) { return fmaxf(a, b); }, NAN);

  warpz::semaphore turn(&state->turn);
  turn.wait(ticket);

  // The last lane, which has the block's own record, hands it on; the first block finds nothing.
  float before = NAN;
  if (warp::lane_id() == last_lane && turn.state() > 0) before = state->record;
  before = warp::broadcast(before, last_lane);
  record = fmaxf(before, record);
  if (warp::lane_id() == last_lane) state->record = record;

  turn.release(ticket + 1);

  if (global_i < size) output[global_i] = record;
}

WARPZ_KERNEL(record_so_far);
