// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flag in shared memory, which the first lane clears.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int is_large;

  if (threadIdx.x == 0) is_large = 0;
  __syncthreads();
  if (i < size && input[i] > 1e30f) is_large = 1;
  __syncthreads();
  if (i < size) output[i] = is_large == 1 ? 1.0f : input[i];
}
