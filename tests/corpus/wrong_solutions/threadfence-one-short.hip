// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves out the sum of the last block.
// caught on: documented; --random 5000 --size 5000
// passes on: 5 random numbers
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace block = warpz::block;

__global__ void sum_of_all_blocks(float* output, const float* input, unsigned* state, int size) {
  float* const sums = reinterpret_cast<float*>(state + 1);
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float of_block = block::sum<false>(global_i < size ? input[global_i] : 0.0f);
  if (threadIdx.x != 0) return;

  sums[blockIdx.x] = of_block;
  warpz::threadfence<warpz::scope::device>();
  const unsigned arrived_before = atomicAdd(state, 1u);
  if (arrived_before != gridDim.x - 1) return;

  warpz::threadfence<warpz::scope::device>();
  float total = 0.0f;
  for (unsigned i = 0; i < max(gridDim.x, 2u) - 1; ++i) total += sums[i];
  output[0] = total;
}

WARPZ_KERNEL(sum_of_all_blocks);
