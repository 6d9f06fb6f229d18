// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread fills whole groups of eight pixels of three bytes, and the row has no whole number of them.
// modelled on: https://github.com/ROCm/MIVisionX/pull/1738
// run: program
// finds: out_of_bounds
// lane: 30 62
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int pixels_per_thread = 8;

/// Each thread fills eight pixels of a row.
__global__ void fill(uchar3* row, int width) {
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * pixels_per_thread;
  if (begin >= width) return;
  for (int i = 0; i < pixels_per_thread; ++i) {
    row[begin + i] = make_uchar3(begin, i, 1);  // first
  }
}

int main() {
  constexpr int width = 500;
  uchar3* row;
  hipMalloc(&row, width * sizeof(uchar3));
  fill<<<1, 64>>>(row, width);
  uchar3 last;
  hipMemcpy(&last, row + width - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%d\n", last.x);
  hipFree(row);
}
