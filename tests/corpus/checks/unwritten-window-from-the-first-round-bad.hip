// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A window of three rounds: in the first ones its oldest part has no value yet.
// run: --neighbor --size 64
// finds: uninitialised_read
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ float window[3 * 64];
  for (int k = 0; k < 2; ++k) {
    window[t] = window[t + 64];
    window[t + 64] = window[t + 128];  // first
    window[t + 128] = (i < size ? input[i] : 0.0f) * k;
    if (k >= 1 && i < size) output[i] = window[t] + window[t + 64];
  }
}
