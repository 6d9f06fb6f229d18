// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In one block of many a lane's neighbor is missing, and the lane knows.
// run: --neighbor --size 700
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const unsigned long long with_element = __ballot(i < size);
  if (i >= size) return;
  const float next = __shfl_down_sync(with_element, input[i], 1);
  output[i] = static_cast<int>(threadIdx.x) + 1 < warpSize && i + 1 < size ? next - input[i] : 0.0f;
}
