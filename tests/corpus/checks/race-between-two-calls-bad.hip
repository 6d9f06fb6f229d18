// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of the block is called again before all have read what its first call has left.
// run: program
// finds: data_race
// lane: 0 0
// other lane: 31 63
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ float block_sum(float value, float* scratch) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_xor(value, offset);
  if (threadIdx.x % warpSize == 0) scratch[threadIdx.x / warpSize] = value;  // first
  __syncthreads();
  float sum = 0;
  for (unsigned warp = 0; warp < blockDim.x / warpSize; ++warp) sum += scratch[warp];  // second
  return sum;
}

__global__ void mean_and_square(const float* in, float* out) {
  __shared__ float scratch[32];
  const float x = in[threadIdx.x];
  const float mean = block_sum(x, scratch) / blockDim.x;
  const float square = block_sum((x - mean) * (x - mean), scratch);
  if (threadIdx.x == 0) {
    out[0] = mean;
    out[1] = square;
  }
}

int main() {
  float in[256], out[2];
  for (int i = 0; i < 256; ++i) in[i] = static_cast<float>(i % 8);
  float *a, *b;
  hipMalloc(&a, sizeof in);
  hipMalloc(&b, sizeof out);
  hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice);
  mean_and_square<<<1, 256>>>(a, b);
  hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost);
  std::printf("%g\n", out[0]);
  hipFree(a);
  hipFree(b);
}
