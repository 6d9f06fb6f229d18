// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each frame takes two buffers from the device and gives one of them back.
// modelled on: https://github.com/UsingNet/nvcodec-python/issues/5
// run: program
// warns: leak
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void decode(unsigned char* planes, int frame) {
  planes[threadIdx.x] = static_cast<unsigned char>(threadIdx.x + frame);
}

__global__ void convert(int* colors, const unsigned char* planes) { colors[threadIdx.x] = planes[threadIdx.x] * 257; }

int main() {
  constexpr int n = 96;
  for (int frame = 0; frame < 3; ++frame) {
    unsigned char* planes;
    int* colors;
    hipMalloc(&planes, n);  // first
    hipMalloc(&colors, n * sizeof(int));
    decode<<<1, n>>>(planes, frame);
    convert<<<1, n>>>(colors, planes);
    int last = 0;
    hipMemcpy(&last, colors + n - 1, sizeof last, hipMemcpyDeviceToHost);
    std::printf("frame %d: %d\n", frame, last);
    hipFree(colors);
  }
  return 0;
}
