// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One byte of many that lie side by side.
// run: --neighbor --size 64
// finds: uninitialised_read
// lane: 5 5
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ unsigned char flags[64];
  if (threadIdx.x != 5) flags[threadIdx.x] = 1;
  __syncthreads();
  if (i < size) output[i] = flags[threadIdx.x];  // first
}
