// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mask of those that stay.
// run: --neighbor --rules amd
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int lane = threadIdx.x % warpSize;
  float mine = static_cast<float>(lane);
  const unsigned long long staying = __ballot(lane < 20);
  if (lane >= 20) return;
  mine = __shfl_sync(staying, mine, 19);
  output[threadIdx.x] = mine * 0.0f + input[0] * static_cast<float>(size * 0);
}
