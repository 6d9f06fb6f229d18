// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements are written in pairs, and nobody writes the last one of an odd number.
// modelled on: https://github.com/xlite-dev/LeetCUDA/pull/421
// run: --neighbor --size 41
// finds: never_written
// lane: 8 40
__device__ float difference(const float* input, int size, int n) {
  return n + 1 < size && (n + 1) % warpSize != 0 ? input[n + 1] - input[n] : 0.0f;
}

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int n = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (n + 1 < size) {
    output[n] = difference(input, size, n);
    output[n + 1] = difference(input, size, n + 1);
  }
}
