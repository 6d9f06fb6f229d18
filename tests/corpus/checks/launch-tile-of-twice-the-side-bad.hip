// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bound for tiles of 16 by 16, and a launch of 32 by 32.
// modelled on: https://github.com/tensorflow/tensorflow/pull/50430
// run: program
// finds: invalid_launch
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int tile = 16;

__global__ void __launch_bounds__(tile* tile) transpose(float* to, const float* from) {  // first
  to[threadIdx.x * blockDim.y + threadIdx.y] = from[threadIdx.y * blockDim.x + threadIdx.x];
}

int main() {
  constexpr int side = 32;
  float *from, *to, last = 1;
  hipMalloc(&from, side * side * sizeof(float));
  hipMalloc(&to, side * side * sizeof(float));
  hipMemset(from, 0, side * side * sizeof(float));
  transpose<<<1, dim3(side, side)>>>(to, from);
  hipMemcpy(&last, to + side * side - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%g\n", last);
  hipFree(from);
  hipFree(to);
}
