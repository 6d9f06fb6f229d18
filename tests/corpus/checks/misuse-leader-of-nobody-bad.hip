// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No lane is chosen, so the leader is lane -1.
// run: --neighbor --size 64
// finds: misused_operation
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < size ? input[i] : 0.0f;
  const unsigned long long chosen = __ballot(mine < -1000000.0f);
  const int leader = __ffsll(chosen) - 1;
  const float of_leader = __shfl(mine, leader);  // first
  if (i < size) output[i] = of_leader;
}
