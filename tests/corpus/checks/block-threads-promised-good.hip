// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call says that the block has 64 threads, and it has.
// run: program
#include <hip/hip_runtime.h>

#include "warpz/block.hpp"

__global__ void total(float* result) {
  const float sum = warpz::block::sum<true, 64>(1.0f);
  result[threadIdx.x] = sum;
}

int main() {
  float* result = nullptr;
  (void)hipMalloc(&result, 64 * sizeof(float));
  total<<<1, 64>>>(result);
  (void)hipDeviceSynchronize();
  (void)hipFree(result);
}
