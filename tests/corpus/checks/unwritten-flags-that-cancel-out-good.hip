// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane compares its bits with its neighbor's.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int bits[64];

  bits[threadIdx.x] = i < size && input[i] > 3;
  __syncthreads();
  const int differ = bits[threadIdx.x] ^ bits[threadIdx.x ^ 1];
  if (i < size) output[i] = differ;
}
