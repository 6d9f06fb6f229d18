// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane decides only by what another one gave.
// run: --neighbor --size 24
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const unsigned long long with_element = __ballot(i < size);
  if (i >= size) return;
  output[i] = 0.0f;
  const int next = __shfl_down_sync(with_element, static_cast<int>(threadIdx.x), 1);
  if (i + 1 < size && next > 4) output[i] = 0.0f;
}
