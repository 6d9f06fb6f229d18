// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads without an element return before a barrier for which the others of their warp wait.
// modelled on: https://github.com/pytorch/FBGEMM/pull/5857
// run: --neighbor --size 20
// warns: diverged_barrier
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float shared[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;

  shared[threadIdx.x] = input[i];
  __syncthreads();  // first
  output[i] = shared[threadIdx.x];
}
