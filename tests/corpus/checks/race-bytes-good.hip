// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two lanes write one byte; bytes side by side are no race.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ unsigned char flags[64];
  flags[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  __syncthreads();
  if (i < size) output[i] = flags[threadIdx.x / 2];
}
