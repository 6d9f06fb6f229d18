// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of tiles is rounded up.
// modelled on: https://github.com/stephen-hqxu/superterrainplus/issues/16
// run: --neighbor --size 72
__device__ float difference(const float* input, int size, int n) {
  return n + 1 < size && (n + 1) % warpSize != 0 ? input[n + 1] - input[n] : 0.0f;
}

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int width = blockDim.x, tiles = (size + width - 1) / width;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int n = tile * width + threadIdx.x;
    if (n < size) output[n] = difference(input, size, n);
  }
}
