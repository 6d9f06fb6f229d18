// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes take their neighbor's value by an atomic, once it is there: the value itself says so.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float values[65];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = -1;
  if (threadIdx.x == 0) values[blockDim.x] = 0;
  __syncthreads();
  atomicExch(&values[threadIdx.x], input[i]);
  float next;
  do {
    next = atomicAdd(&values[threadIdx.x + 1], 0.0F);
  } while (next < 0);
  output[i] = next - input[i];
}
