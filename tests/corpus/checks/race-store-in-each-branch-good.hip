// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both branches store to the lane's element, and the neighbor reads it behind a barrier.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float tile[64];

  if (threadIdx.x % 2 == 0) {
    tile[threadIdx.x] = 2.0f;
  } else {
    tile[threadIdx.x] = input[i];
  }
  __syncthreads();
  if (i < size) output[i] = tile[threadIdx.x ^ 1];
}
