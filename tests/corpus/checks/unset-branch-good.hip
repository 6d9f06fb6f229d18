// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first lane has nothing to decide by, and does not.
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int large;
  if (threadIdx.x == 0) large = 0;
  __syncthreads();

  float before;
  for (int k = 0; k < i && k < size; ++k) before = input[k];
  if (i > 0 && before > 3.0f) atomicAdd(&large, 1);
  if (i < size) output[i] = input[i];
}
