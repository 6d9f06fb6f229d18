// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last steps of a tree of sums in one warp, which volatile is thought to keep in step.
// run: --neighbor --size 32
// finds: data_race
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ volatile float sums[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < size ? input[i] : 0;
  __syncthreads();
  if (threadIdx.x < 8) {
    sums[threadIdx.x] += sums[threadIdx.x + 8];
    sums[threadIdx.x] += sums[threadIdx.x + 4];  // first
  }
  __syncthreads();
  if (i < size) output[i] = sums[0];
}
