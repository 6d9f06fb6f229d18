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

/// To do: each element becomes the greatest one from the array's beginning up to it.
__global__ void record_so_far(float* output, const float* input, void* memory, int size) {
  progress* const state = static_cast<progress*>(memory);
  // The block's ticket says which part of the array it takes.
  int ticket = 0;
  if (threadIdx.x == 0) ticket = atomicAdd(&state->tickets, 1);
  ticket = warp::broadcast(ticket);
  const int global_i = ticket * blockDim.x + threadIdx.x;

  // The records within the block need no other block. A NaN is no record: fmaxf takes the other operand.
  const float current_val = global_i < size ? input[global_i] : NAN;
  float record = warp::scan(
      current_val, [](float a, float b) { return fmaxf(a, b); }, NAN);

  // 1. Wait for this block's turn, with a warpz::semaphore on state->turn.

  // 2. One lane takes state->record, unless this is the first block; all lanes combine it with theirs; the last lane,
  // which has the block's own record, writes it back.

  // 3. Release the semaphore for the next ticket.

  if (global_i < size) output[global_i] = record;
}

WARPZ_KERNEL(record_so_far);
