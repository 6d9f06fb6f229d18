// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with two arrays in dynamic shared memory is launched without any.
// modelled on: https://github.com/alicevision/popsift/pull/109
// run: program
// finds: out_of_bounds
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

extern __shared__ float block_memory[];

__global__ void strongest(float* result, const float* angles) {
  float* const bins = block_memory;
  float* const smooth = block_memory + blockDim.x;
  bins[threadIdx.x] = angles[threadIdx.x];  // first
  __syncthreads();
  smooth[threadIdx.x] = (bins[threadIdx.x] + bins[(threadIdx.x + 1) % blockDim.x]) / 2;
  __syncthreads();
  if (threadIdx.x != 0) return;
  float most = smooth[0];
  for (unsigned i = 1; i < blockDim.x; ++i) most = smooth[i] > most ? smooth[i] : most;
  *result = most;
}

int main() {
  constexpr int n = 64;
  float angles[n];
  for (int i = 0; i < n; ++i) angles[i] = i % 17;
  float *result, *on_device;
  hipMalloc(&result, sizeof(float));
  hipMalloc(&on_device, sizeof angles);
  hipMemcpy(on_device, angles, sizeof angles, hipMemcpyHostToDevice);
  strongest<<<1, n>>>(result, on_device);
  float most = 0;
  hipMemcpy(&most, result, sizeof most, hipMemcpyDeviceToHost);
  std::printf("%.1f\n", most);
  hipFree(on_device);
  hipFree(result);
  return 0;
}
