// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes take their neighbour's value from a volatile array, once it is there: the value itself says so.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ volatile float values[65];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = -1;
  if (threadIdx.x == 0) values[blockDim.x] = 0;
  __syncthreads();
  values[threadIdx.x] = input[i];
  float next;
  do {
    next = values[threadIdx.x + 1];
  } while (next < 0);
  output[i] = next - input[i];
}
