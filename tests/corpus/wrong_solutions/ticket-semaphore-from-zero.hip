// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the state of the start for a record: no element is less than 0.
// caught on: documented; all negative
// passes on: rising
#include <cmath>
#include <cstdint>

#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

struct progress {
  int tickets;        ///< how many blocks have begun
  std::int32_t turn;  ///< the ticket of the block that may go on
  float record;       ///< the greatest element of the blocks before
};

__global__ void record_so_far(float* output, const float* input, void* memory, int size) {
  progress* const state = static_cast<progress*>(memory);
  int ticket = 0;
  if (threadIdx.x == 0) ticket = atomicAdd(&state->tickets, 1);
  ticket = warp::broadcast(ticket);
  const int global_i = ticket * blockDim.x + threadIdx.x;
  const int last_lane = warp::size() - 1;

  const float current_val = global_i < size ? input[global_i] : NAN;
  float record = warp::scan(
      current_val, [](float a, float b) { return fmaxf(a, b); }, NAN);

  warpz::semaphore turn(&state->turn);
  turn.wait(ticket);

  float before = NAN;
  if (warp::lane_id() == last_lane) before = state->record;
  before = warp::broadcast(before, last_lane);
  record = fmaxf(before, record);
  if (warp::lane_id() == last_lane) state->record = record;

  turn.release(ticket + 1);

  if (global_i < size) output[global_i] = record;
}

WARPZ_KERNEL(record_so_far);
