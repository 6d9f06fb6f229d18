// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes take their neighbor's value from a volatile array, without waiting for it.
// run: --neighbor --size 64
// finds: data_race
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ volatile float values[65];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) values[blockDim.x] = 0;
  values[threadIdx.x] = input[i];
  output[i] = values[threadIdx.x + 1] - input[i];  // first
}
