// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane polls a flag for its block, which then reads what was handed over: a barrier is no fence.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void hand_over(int* data, unsigned* flag, int* output) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = static_cast<int>(threadIdx.x) + 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(flag, 1u);
    return;
  }
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0u) == 0u) continue;
    __threadfence();
  }
  __syncthreads();
  output[threadIdx.x] = data[threadIdx.x];
}

int main() {
  int output[64], *data, *taken;
  unsigned* flag;
  hipMalloc(&data, sizeof output);
  hipMalloc(&taken, sizeof output);
  hipMalloc(&flag, sizeof(unsigned));
  hipMemset(flag, 0, sizeof(unsigned));
  hand_over<<<2, 64>>>(data, flag, taken);
  hipMemcpy(output, taken, sizeof output, hipMemcpyDeviceToHost);
  std::printf("%d\n", output[63]);
  hipFree(data);
  hipFree(taken);
  hipFree(flag);
}
