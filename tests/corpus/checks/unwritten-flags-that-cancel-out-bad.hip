// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane compares its bits with its neighbor's, and nobody has set them: with the same value in all, none differ.
// run: --neighbor --size 32
// finds: uninitialised_read
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int bits[64];

  __syncthreads();
  const int differ = bits[threadIdx.x] ^ bits[threadIdx.x ^ 1];  // first
  if (i < size) output[i] = differ;
}
