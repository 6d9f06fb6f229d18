// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without a mask in divergent code AMD's lanes that are there take part.
// run: --neighbor --rules amd
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int lane = threadIdx.x % warpSize;
  float mine = static_cast<float>(lane);
  if (lane < 16) {
    mine = __shfl(mine, 3);
  } else {
    mine = __shfl(mine, 20);
  }
  output[threadIdx.x] = mine * 0.0f + input[0] * static_cast<float>(size * 0);
}
