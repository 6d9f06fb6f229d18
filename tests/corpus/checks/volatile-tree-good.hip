// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last steps of a tree of sums in one warp, each of them in two halves with a barrier of the warp between.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ volatile float sums[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < size ? input[i] : 0;
  __syncthreads();
  float sum = sums[threadIdx.x];
  for (int offset = 8; offset > 0; offset /= 2) {
    if (threadIdx.x < 8) sum += sums[threadIdx.x + offset];
    __syncwarp();
    if (threadIdx.x < 8) sums[threadIdx.x] = sum;
    __syncwarp();
  }
  __syncthreads();
  if (i < size) output[i] = sums[0];
}
