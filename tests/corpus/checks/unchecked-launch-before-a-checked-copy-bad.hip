// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copy's result is looked at, which says nothing of the launch.
// run: program
// finds: unchecked_error
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add(int* sum, int values) {
  const int i = blockIdx.y * blockDim.x + threadIdx.x;
  if (i < values) atomicAdd(sum, 1);
}

int main() {
  constexpr int values = 1 << 21;
  int *sum, host = 0;
  hipMalloc(&sum, sizeof host);
  hipMemset(sum, 0, sizeof host);
  add<<<dim3(1, values / 32), 32>>>(sum, values);  // first
  std::printf("added\n");
  if (hipMemcpy(&host, sum, sizeof host, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("%d\n", host);
  hipFree(sum);
}
