// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread is done with one of its elements and returns, although it has more of them.
// modelled on: https://github.com/NVIDIA/warp/issues/594
// run: --neighbor --size 130
// finds: never_written
// lane: 31 63
__device__ float difference(const float* input, int size, int n) {
  return n + 1 < size && (n + 1) % warpSize != 0 ? input[n + 1] - input[n] : 0.0f;
}

__global__ void kernel_under_test(float* output, const float* input, int size) {
  if (blockIdx.x != 0) return;
  for (int n = threadIdx.x; n < size; n += blockDim.x) {
    if ((n + 1) % warpSize == 0) {
      output[n] = 0.0f;
      return;
    }
    output[n] = difference(input, size, n);
  }
}
