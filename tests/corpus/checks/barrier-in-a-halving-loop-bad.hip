// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of a tree of sums half of the threads return in each round, and a barrier is in the loop.
// modelled on: https://github.com/m4rs-mt/ILGPU/issues/90
// run: --neighbor --size 20
// warns: diverged_barrier
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float sums[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  sums[threadIdx.x] = i < size ? input[i] : 0;
  __syncthreads();
  for (unsigned living = blockDim.x / 2; living > 0; living /= 2) {
    if (threadIdx.x >= living) return;
    sums[threadIdx.x] += sums[threadIdx.x + living];
    __syncthreads();  // first
  }
  output[blockIdx.x] = sums[0];
}
