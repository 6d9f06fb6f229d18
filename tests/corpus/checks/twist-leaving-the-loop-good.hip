// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes leave a loop at different times; those that stay meet by a mask of their own.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ int steps[64];
  steps[threadIdx.x] = 0;
  __syncwarp();
  const int lane = static_cast<int>(threadIdx.x);
  for (int step = 0; step < 4; ++step) {
    if (lane < step) break;
    const unsigned long long left = ~0ull << step;
    if (lane == step) steps[lane] = step + 1;
    __syncwarp(left);
    if (lane > step) steps[lane] += steps[step];
    __syncwarp(left);
  }
  if (i < size) output[i] = steps[lane] + input[i];
}
