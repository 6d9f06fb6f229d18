// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counter in shared memory that nobody sets to 0.
// run: --neighbor --size 64
// finds: uninitialised_read
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ int counter;
  atomicAdd(&counter, 1);  // first
  __syncthreads();
  if (i < size) output[i] = counter;
}
