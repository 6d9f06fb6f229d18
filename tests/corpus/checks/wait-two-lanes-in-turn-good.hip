// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two are in two warps.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void rally(int* box, int* output) {
  const int left = 0, right = 64;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == left) {
      while (atomicAdd(&box[0], 0) != 2 * round) continue;
      atomicAdd(output, 1);
      atomicExch(&box[0], 2 * round + 1);
    } else if (threadIdx.x == right) {
      while (atomicAdd(&box[0], 0) != 2 * round + 1) continue;
      atomicExch(&box[0], 2 * round + 2);
    }
  }
}

int main() {
  int host = 0, *box, *output;
  hipMalloc(&box, 2 * sizeof(int));
  hipMalloc(&output, sizeof(int));
  hipMemset(box, 0, 2 * sizeof(int));
  hipMemset(output, 0, sizeof(int));
  rally<<<1, 128>>>(box, output);
  hipMemcpy(&host, output, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(box);
  hipFree(output);
}
