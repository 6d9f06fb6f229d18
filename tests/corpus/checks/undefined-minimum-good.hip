// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A minimum over lanes of which some are not there, with a neutral value for them.
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const unsigned long long with_element = __ballot(i < size);
  if (i >= size) return;
  const float next = __shfl_down_sync(with_element, input[i], 1);
  output[i] = fminf(-input[i], i + 1 < size ? next : 0.0f);
}
