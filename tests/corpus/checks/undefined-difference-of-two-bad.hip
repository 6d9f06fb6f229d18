// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last lane takes the difference of two values from lanes that take no part: two equal ones cancel each other.
// run: --neighbor --size 20
// finds: undefined_lane_value
// lane: 19 19
// other lane: 20 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const unsigned long long with_element = __ballot(i < size);
  if (i >= size) return;
  const int bits = __float_as_int(input[i]);
  const int next = __shfl_down_sync(with_element, bits, 1);  // first
  const int after = __shfl_down_sync(with_element, bits, 2);
  const bool has_both = i + 2 < size, has_next = i + 1 < size;
  output[i] = has_both || !has_next ? __int_as_float(after ^ next) : 0.0f;
}
