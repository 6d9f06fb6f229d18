// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"
#include "warpz/vendor.hpp"

namespace warp = warpz::warp;

namespace {

enum path { none, portable, amd, nvidia };

/// The path that a kernel compiled for this platform takes.
constexpr path chosen = warpz::vendor() == warpz::platform::amd      ? amd
                        : warpz::vendor() == warpz::platform::nvidia ? nvidia
                                                                     : portable;

/// How many lanes of the warp say yes.
__device__ int count(bool yes) {
  if constexpr (chosen == amd) {
    // A vote is a single comparison, which writes the lanes' answers to a scalar register; there they are counted once
    // for all lanes.
    return static_cast<int>(__popcll(warp::vote(yes)));
  } else if constexpr (chosen == nvidia) {
    // Since sm_80 the sum of integers over a warp is one instruction.
    return warp::sum(yes ? 1 : 0);
  } else {
    // Whatever the machine: a butterfly of shuffles, unless all lanes say the same.
    if (!warp::any(yes)) return 0;
    if (warp::all(yes)) return warp::size();
    return warp::reduce(warp::xor_lanes, yes ? 1 : 0, [](int a, int b) { return a + b; });
  }
}

}  // namespace

/// Each lane writes how many elements of its warp are at least 0. `state` is 0 at the start; it becomes the path taken.
__global__ void count_adaptively(float* output, const float* input, int* state, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int counted = count(global_i < size && input[global_i] >= 0.0f);
  if (global_i < size) output[global_i] = static_cast<float>(counted);

  // Looking first: of thousands of blocks that would have to queue up for the word, only those write that find it
  // unset.
  warpz::semaphore noted(state);
  noted.fetch();
  if (threadIdx.x == 0 && noted.state() == none) atomicExch(state, chosen);
}

WARPZ_KERNEL(count_adaptively);
