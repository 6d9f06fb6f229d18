// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sets of lanes that do not overlap may have an operation at one place.
// run: --neighbor
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int lane = threadIdx.x % warpSize;
  float mine = static_cast<float>(lane);
  const unsigned long long mask = lane < 16 ? 0xffffull : ~0xffffull;
  mine = __shfl_sync(mask, mine, lane);
  output[threadIdx.x] = mine * 0.0f + input[0] * static_cast<float>(size * 0);
}
