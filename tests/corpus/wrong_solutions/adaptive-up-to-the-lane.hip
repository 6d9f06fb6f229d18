// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree that ends in the last lane, read in all of them.
// caught on: documented; two warps
// passes on: nothing is a number
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"
#include "warpz/vendor.hpp"

namespace warp = warpz::warp;

namespace {
enum path { none, portable, amd, nvidia };

constexpr path chosen = warpz::vendor() == warpz::platform::amd      ? amd
                        : warpz::vendor() == warpz::platform::nvidia ? nvidia
                                                                     : portable;

__device__ int count(bool yes) {
  if constexpr (chosen == amd) {
    return static_cast<int>(__popcll(warp::vote(yes)));
  } else if constexpr (chosen == nvidia) {
    return warp::sum(yes ? 1 : 0);
  } else {
    return warp::reduce(warp::up_lanes, yes ? 1 : 0, [](int a, int b) { return a + b; });
  }
}
}  // namespace

__global__ void count_adaptively(float* output, const float* input, int* state, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int counted = count(global_i < size && input[global_i] >= 0.0f);
  if (global_i < size) output[global_i] = static_cast<float>(counted);

  warpz::semaphore noted(state);
  noted.fetch();
  if (threadIdx.x == 0 && noted.state() == none) atomicExch(state, chosen);
}

WARPZ_KERNEL(count_adaptively);
