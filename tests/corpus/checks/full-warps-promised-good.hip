// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file promises whole warps, and the block has 64 threads.
// run: program
#define WARPZ_FULL_WARPS
#include <hip/hip_runtime.h>

#include "warpz/warp.hpp"

__global__ void total(float* result) { result[threadIdx.x] = warpz::warp::sum(1.0f); }

int main() {
  float* result = nullptr;
  (void)hipMalloc(&result, 64 * sizeof(float));
  total<<<1, 64>>>(result);
  (void)hipDeviceSynchronize();
  (void)hipFree(result);
}
