// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps are reduced with the size that they have, but numbered as if they had 32 lanes.
// modelled on: https://github.com/vllm-project/vllm/pull/3321
// run: program --warp-size both
// finds: warp_size_dependence
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void block_sum(const int* values, int* total) {
  __shared__ int sums[4];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;  // first
  int sum = values[threadIdx.x];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_xor(sum, offset);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  sum = 0;
  for (int i = 0; i < static_cast<int>(blockDim.x) / warpSize; ++i) sum += sums[i];
  *total = sum;
}

int main() {
  constexpr int threads = 128;
  int host[threads], sum;
  for (int i = 0; i < threads; ++i) host[i] = i;
  int *values, *total;
  hipMalloc(&values, sizeof host);
  hipMalloc(&total, sizeof sum);
  hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice);
  block_sum<<<1, threads>>>(values, total);
  hipMemcpy(&sum, total, sizeof sum, hipMemcpyDeviceToHost);
  std::printf("sum %d\n", sum);
  hipFree(values);
  hipFree(total);
  return 0;
}
