// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit fields of one word are changed by one lane.
// run: --neighbor --size 64

struct flags {
  unsigned low : 3, high : 5;
};

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ flags all[64];
  all[threadIdx.x] = flags{};
  all[threadIdx.x].low = threadIdx.x % 8;
  all[threadIdx.x].high = 1;
  if (i < size) output[i] = all[threadIdx.x].low + all[threadIdx.x].high + input[i];
}
