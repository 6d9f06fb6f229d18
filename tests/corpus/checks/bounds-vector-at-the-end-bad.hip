// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four at a time, and the size is no multiple of four.
// run: --neighbor --size 42
// finds: out_of_bounds
// lane: 10 10
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (4 * i < size) {
    const float4 four = reinterpret_cast<const float4*>(input)[i];  // first
    output[i] = four.x + four.w;
  }
}
