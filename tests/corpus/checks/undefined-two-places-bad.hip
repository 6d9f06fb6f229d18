// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two shuffles read beyond the lanes that take part, and a third one's value is dropped.
// run: --neighbor --size 20
// finds: undefined_lane_value
// lane: 19 19
// other lane: 20 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const unsigned long long with_element = __ballot(i < size);
  if (i >= size) return;
  const float dropped = __shfl_down_sync(with_element, input[i], 3);
  const float next = __shfl_down_sync(with_element, input[i], 1);  // first
  const float after = __shfl_down_sync(with_element, input[i], 2);
  output[i] = next + after + (i + 3 < size ? dropped : 0.0f);
}
