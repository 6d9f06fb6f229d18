// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One byte behind the end, in the buffer's own page.
// run: --neighbor --size 45
// finds: out_of_bounds
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const char* const bytes = reinterpret_cast<const char*>(input);
  if (i == 0) output[0] = bytes[4 * size];  // first
  if (i > 0 && i < size) output[i] = 0.0f;
}
