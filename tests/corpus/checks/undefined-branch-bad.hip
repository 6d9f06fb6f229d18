// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane decides by what it got from nowhere whether to write.
// run: --neighbor --size 24
// finds: undefined_lane_value
// lane: 23 23
// other lane: 24 24
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const unsigned long long with_element = __ballot(i < size);
  if (i >= size) return;
  output[i] = 0.0f;
  const int next = __shfl_down_sync(with_element, static_cast<int>(threadIdx.x), 1);  // first
  if (next > 4) output[i] = 0.0f;
}
