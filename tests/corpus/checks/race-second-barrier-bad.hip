// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that writes the next tile while others still read this one.
// run: --barrier-stencil --size 96
// finds: data_race
// lane: 1 1
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float tile[128];
  float sum = 0.0f;
  for (int step = 0; step < 2; ++step) {
    tile[threadIdx.x] = input[i] + step;  // first
    __syncthreads();
    sum += tile[(threadIdx.x + 1) % 96];  // second
  }
  output[i] = sum;
}
