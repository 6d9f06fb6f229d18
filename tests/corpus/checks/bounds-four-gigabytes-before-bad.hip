// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index of -1,000,000,007, four gigabytes in front of one of several buffers.
// run: program
// finds: out_of_bounds
// lane: 13 13
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void gather(const float* values, const int* places, float* output) {
  const int i = threadIdx.x, place = places[i];
  output[i] = values[place];  // first
}

int main() {
  int places[32], *in_places;
  float host, *values, *output;
  for (int i = 0; i < 32; ++i) places[i] = i == 13 ? -1000000007 : i;
  hipMalloc(&values, sizeof places);
  hipMalloc(&output, sizeof places);
  hipMalloc(&in_places, sizeof places);
  hipMemset(values, 0, sizeof places);
  hipMemcpy(in_places, places, sizeof places, hipMemcpyHostToDevice);
  gather<<<1, 32>>>(values, in_places, output);
  hipMemcpy(&host, output, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%g\n", host);
  hipFree(values);
  hipFree(output);
  hipFree(in_places);
}
