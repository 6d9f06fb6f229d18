// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane calls with a mask that does not name it.
// run: --neighbor
// finds: wrong_mask
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int lane = threadIdx.x % warpSize;
  float mine = static_cast<float>(lane);
  mine = __shfl_sync(~1ull, mine, 1);  // first
  output[threadIdx.x] = mine * 0.0f + input[0] * static_cast<float>(size * 0);
}
