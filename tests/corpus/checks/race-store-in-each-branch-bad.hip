// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both branches store to the lane's element, and the neighbor reads it without a barrier. Clang would make one store
// of the two, which has the line of neither.
// run: --neighbor --size 64
// finds: data_race
// lane: 1 1
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float tile[64];

  if (threadIdx.x % 2 == 0) {
    tile[threadIdx.x] = 2.0f;
  } else {
    tile[threadIdx.x] = input[i];  // first
  }
  if (i < size) output[i] = tile[threadIdx.x ^ 1];  // second
}
