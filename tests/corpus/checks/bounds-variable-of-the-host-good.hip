// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel gets the address of a local variable of the host program.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void scale(int* values, const int* factor) { values[threadIdx.x] *= *factor; }

int main() {
  int values[32], factor = 3, *on_device, *factor_on_device;
  for (int i = 0; i < 32; i++) values[i] = i;
  hipMalloc(&on_device, sizeof values);
  hipMemcpy(on_device, values, sizeof values, hipMemcpyHostToDevice);
  hipMalloc(&factor_on_device, sizeof factor);
  hipMemcpy(factor_on_device, &factor, sizeof factor, hipMemcpyHostToDevice);
  scale<<<1, 32>>>(on_device, factor_on_device);
  hipFree(factor_on_device);
  hipMemcpy(values, on_device, sizeof values, hipMemcpyDeviceToHost);
  std::printf("%d\n", values[31]);
  hipFree(on_device);
}
