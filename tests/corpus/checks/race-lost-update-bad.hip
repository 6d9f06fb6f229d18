// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram without atomics.
// run: --neighbor --size 32
// finds: data_race
// lane: 1 1
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[0] = bins[0] + 1;  // first second
  __syncthreads();
  if (i < size) output[i] = bins[threadIdx.x % 4];
}
