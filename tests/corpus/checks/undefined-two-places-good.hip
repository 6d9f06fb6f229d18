// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three shuffles read beyond the lanes that take part, and all three values are dropped there.
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const unsigned long long with_element = __ballot(i < size);
  if (i >= size) return;
  const float dropped = __shfl_down_sync(with_element, input[i], 3);
  const float next = __shfl_down_sync(with_element, input[i], 1);
  const float after = __shfl_down_sync(with_element, input[i], 2);
  output[i] = (i + 1 < size ? next : 0.0f) + (i + 2 < size ? after : 0.0f) + (i + 3 < size ? dropped : 0.0f);
}
