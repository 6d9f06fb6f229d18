// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first lane adds to what nobody has set, in one statement: it is zero here, and on a GPU what was there before.
// run: --neighbor --size 32
// finds: uninitialised_read
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float sum;

  if (threadIdx.x == 0) sum += input[i];  // first
  __syncthreads();
  if (i < size) output[i] = sum;
}
