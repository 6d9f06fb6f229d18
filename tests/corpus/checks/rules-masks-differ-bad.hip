// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of one operation that name each other, and not the same lanes.
// run: --neighbor
// finds: wrong_mask
// lane: 0 0
// other lane: 16 16
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int lane = threadIdx.x % warpSize;
  float mine = static_cast<float>(lane);
  const unsigned long long mask = lane < 16 ? 0x1ffffull : ~0x7fffull;
  mine = __shfl_sync(mask, mine, lane);  // first second
  output[threadIdx.x] = mine * 0.0f + input[0] * static_cast<float>(size * 0);
}
