// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counter in shared memory that nobody sets to 0.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  atomicAdd(&counter, 1);
  __syncthreads();
  if (i < size) output[i] = counter;
}
