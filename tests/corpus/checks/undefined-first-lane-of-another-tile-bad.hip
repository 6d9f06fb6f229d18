// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second tile of 16 lanes is alone at the shuffle: its first lane is lane 16 of the warp, not 0.
// run: --neighbor --size 64 --rules amd
// finds: undefined_lane_value
// lane: 16 16
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < size ? input[i] : 0.0f;
  float first_of_tile = mine;
  if (threadIdx.x / 16 == 1) first_of_tile = __shfl(mine, 0);  // first
  if (i < size) output[i] = first_of_tile;
}
