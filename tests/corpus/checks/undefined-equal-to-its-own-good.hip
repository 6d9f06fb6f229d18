// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane compares its element with its neighbor's, if that takes part.
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const unsigned long long with_element = __ballot(i < size);
  if (i >= size) return;
  const float next = __shfl_down_sync(with_element, input[i], 1);
  output[i] = i + 1 < size && next == input[i] ? 1.0f : 0.0f;
}
