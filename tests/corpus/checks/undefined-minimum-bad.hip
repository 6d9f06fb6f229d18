// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A minimum over lanes of which some are not there. A NaN and a large number would not show in it.
// run: --neighbor --size 20
// finds: undefined_lane_value
// lane: 19 19
// other lane: 20 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const unsigned long long with_element = __ballot(i < size);
  if (i >= size) return;
  const float next = __shfl_down_sync(with_element, input[i], 1);  // first
  output[i] = fminf(-input[i], next);
}
