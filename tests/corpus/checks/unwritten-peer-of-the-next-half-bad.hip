// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The other half of the array has no value when it is read, a line above where it is written.
// run: --neighbor --size 64
// finds: uninitialised_read
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float values[128];
  const int t = threadIdx.x;
  float mine = i < size ? input[i] : 0.0f;
  for (int k = 0; k < 3; ++k) {
    const float peer = values[t + 64];  // first
    values[t + 64] = mine * peer - k;
    mine = mine * k - peer;
  }
  if (i < size) output[i] = mine;
}
