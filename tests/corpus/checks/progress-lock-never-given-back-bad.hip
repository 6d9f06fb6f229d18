// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block takes the lock of the scratch memory and ends without giving it back.
// modelled on: https://github.com/kokkos/kokkos/issues/820
// run: --neighbor --size 128 --timeout 0.3
// finds: no_progress
// lane: 0 0
__device__ int taken;
__device__ float scratch;

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) output[i] = 2.0f * input[i];
  if (threadIdx.x != 0) return;
  while (atomicCAS(&taken, 0, 1) != 0) continue;  // first
  __threadfence();
  scratch = input[i];
  output[i] = 3.0f * scratch;
}
// no repair: nothing in the file gives the lock back, and where it is free is for the author to say
