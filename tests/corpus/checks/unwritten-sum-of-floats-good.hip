// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum of floats that is 0 before it is added to.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0.0f;
  __syncthreads();
  if (i < size) atomicAdd(&sum, input[i]);
  __syncthreads();
  if (i < size) output[i] = sum;
}
