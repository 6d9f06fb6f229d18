// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's own shuffle reads lanes that the block's last warp does not have.
// run: --block-broadcast --size 48
// finds: undefined_lane_value
// lane: 8 40
// other lane: 16 48
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const float other = __shfl_down(input[i], 8);  // first
  if (i < size) output[i] = fmaxf(input[i], other);
}
