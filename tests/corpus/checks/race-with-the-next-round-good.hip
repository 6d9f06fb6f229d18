// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile that a lane fills again while the lane behind it still adds up what was there.
// run: --barrier-stencil --size 96
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float tile[96];
  float sum = 0.0f;
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = input[i] + round;
    __syncthreads();
    sum += tile[95 - threadIdx.x];
    __syncthreads();
  }
  output[i] = sum;
}
