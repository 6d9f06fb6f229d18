// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads take the elements before the aligned ones in turn, until none is left.
// modelled on: https://github.com/NVIDIA/raft/pull/2596
// run: --neighbor --size 100
__device__ float difference(const float* input, int size, int n) {
  return n + 1 < size && (n + 1) % warpSize != 0 ? input[n + 1] - input[n] : 0.0f;
}

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const int head = 40, half = blockDim.x / 2;
  for (int n = i; i < half && n < head; n += half) output[n] = difference(input, size, n);
  for (int n = head + i; n < size; n += threads) output[n] = difference(input, size, n);
}
