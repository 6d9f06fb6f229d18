// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace block = warpz::block;

/// The sum of all elements, in one launch: each block leaves its sum, and the last one to arrive adds them up.
/// `state` is how many blocks have arrived, and behind it the sum of each; all zero at the start.
__global__ void sum_of_all_blocks(float* output, const float* input, unsigned* state, int size) {
  float* const sums = reinterpret_cast<float*>(state + 1);
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float of_block = block::sum<false>(global_i < size ? input[global_i] : 0.0f);
  if (threadIdx.x != 0) return;

  // Whoever sees that this block has arrived sees its sum too.
  sums[blockIdx.x] = of_block;
  warpz::threadfence<warpz::scope::device>();
  const unsigned arrived_before = atomicAdd(state, 1u);
  if (arrived_before != gridDim.x - 1) return;

  // The last one, and it has seen all others arrive. In the blocks' order, not in that of their arrival: the result
  // rounds the same way in each run.
  warpz::threadfence<warpz::scope::device>();
  double total = 0.0;  // of many blocks a float would lose the last digits
  for (unsigned i = 0; i < gridDim.x; ++i) total += sums[i];
  output[0] = static_cast<float>(total);
}

WARPZ_KERNEL(sum_of_all_blocks);
