// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only in one block of many is a lane's neighbor missing.
// run: --neighbor --size 700
// finds: undefined_lane_value
// lane: 27 59
// other lane: 28 60
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const unsigned long long with_element = __ballot(i < size);
  if (i >= size) return;
  const float next = __shfl_down_sync(with_element, input[i], 1);  // first
  output[i] = static_cast<int>(threadIdx.x) + 1 < warpSize ? next - input[i] : 0.0f;
}
