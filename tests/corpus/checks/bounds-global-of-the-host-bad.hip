// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel gets the address of a table that the host program has at file scope.
// run: program
// finds: out_of_bounds
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

float weights[32] = {1, 2, 4};

__global__ void scale(float* values, const float* factors) { values[threadIdx.x] = factors[threadIdx.x]; }  // first

int main() {
  float values[32], *on_device;
  hipMalloc(&on_device, sizeof values);
  scale<<<1, 32>>>(on_device, weights);
  hipMemcpy(values, on_device, sizeof values, hipMemcpyDeviceToHost);
  std::printf("%g\n", values[2]);
  hipFree(on_device);
}
