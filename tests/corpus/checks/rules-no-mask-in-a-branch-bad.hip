// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without a mask in divergent code NVIDIA waits for the whole warp, so it is not portable.
// run: --neighbor --rules nvidia
// finds: diverged_collective
// lane: 0 0
// other lane: 16 16
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int lane = threadIdx.x % warpSize;
  float mine = static_cast<float>(lane);
  if (lane < 16) {
    mine = __shfl(mine, 3);  // first
  } else {
    mine = __shfl(mine, 20);  // second
  }
  output[threadIdx.x] = mine * 0.0f + input[0] * static_cast<float>(size * 0);
}
