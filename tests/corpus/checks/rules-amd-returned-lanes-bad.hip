// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same by AMD's rules.
// run: --neighbor --rules amd
// finds: diverged_collective
// lane: 0 0
// other lane: 20 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int lane = threadIdx.x % warpSize;
  float mine = static_cast<float>(lane);
  if (lane >= 20) return;
  mine = __shfl_sync(~0ull, mine, 19);  // first
  output[threadIdx.x] = mine * 0.0f + input[0] * static_cast<float>(size * 0);
}
