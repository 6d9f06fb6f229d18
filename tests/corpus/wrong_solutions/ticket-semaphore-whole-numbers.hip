// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hands on whole numbers.
// caught on: falling halves
// passes on: documented; 5 random numbers
#include <cmath>
#include <cstdint>

#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

struct progress {
  int tickets;        ///< how many blocks have begun
  std::int32_t turn;  ///< the ticket of the block that may go on
  int record;         ///< the greatest element of the blocks before
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
  if (warp::lane_id() == last_lane && turn.state() > 0) before = static_cast<float>(state->record);
  before = warp::broadcast(before, last_lane);
  record = fmaxf(before, record);
  if (warp::lane_id() == last_lane) state->record = static_cast<int>(record);

  turn.release(ticket + 1);

  if (global_i < size) output[global_i] = record;
}

WARPZ_KERNEL(record_so_far);
