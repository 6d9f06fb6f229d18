// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier between a read and a write that only every other thread does.
// modelled on: https://github.com/tile-ai/tilelang/issues/1026
// run: --neighbor --size 20
// warns: diverged_barrier
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float shared[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  shared[threadIdx.x] = i < size ? input[i] : 0;
  __syncthreads();
  if (threadIdx.x % 2 == 0) {
    const float mine = shared[threadIdx.x];
    __syncthreads();  // first
    shared[threadIdx.x ^ 1] = mine;
  }
  if (i < size) output[i] = static_cast<float>(threadIdx.x);
}
