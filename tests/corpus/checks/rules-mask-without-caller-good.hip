// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The others call, and are named.
// run: --neighbor
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int lane = threadIdx.x % warpSize;
  float mine = static_cast<float>(lane);
  if (lane != 0) mine = __shfl_sync(~1ull, mine, 1);
  output[threadIdx.x] = mine * 0.0f + input[0] * static_cast<float>(size * 0);
}
