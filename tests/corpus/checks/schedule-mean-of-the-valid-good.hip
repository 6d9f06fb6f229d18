// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mean of a warp's valid samples, with the active lanes for their count.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void means(const float* samples, float* mean) {
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  const float mine = samples[threadIdx.x];
  float sum = mine >= 0 ? mine : 0;
  for (int d = warpSize / 2; d > 0; d /= 2) sum += __shfl_xor(sum, d);
  const unsigned long long valid = __ballot(mine >= 0);
  if (mine >= 0) {
    const float count = __popcll(valid);
    if (lane == __ffsll(valid) - 1) mean[warp] = sum / count;
  }
}

int main() {
  float host[64], result[2] = {}, *samples, *mean;
  for (int i = 0; i < 64; ++i) host[i] = i % 3 == 0 ? -1.0f : i;
  hipMalloc(&samples, sizeof host);
  hipMalloc(&mean, sizeof result);
  hipMemcpy(samples, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(mean, 0, sizeof result);
  means<<<1, 64>>>(samples, mean);
  hipMemcpy(result, mean, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%.3f %.3f\n", result[0], result[1]);
  hipFree(samples);
  hipFree(mean);
}
