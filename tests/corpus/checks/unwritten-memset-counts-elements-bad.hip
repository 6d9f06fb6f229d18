// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hipMemset gets the number of elements as its number of bytes.
// modelled on: https://github.com/NVIDIA/compute-sanitizer-samples/blob/master/Initcheck/memset_error.cu
// run: program
// finds: uninitialised_read
// lane: 8 40
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add_place(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += i;  // first
}

int main() {
  constexpr int n = 160;
  int* values;
  hipMalloc(&values, n * sizeof(int));
  hipMemset(values, 0, n);
  add_place<<<1, 192>>>(values, n);
  int early = 0;
  hipMemcpy(&early, values + 5, sizeof early, hipMemcpyDeviceToHost);
  std::printf("%d\n", early);
  hipFree(values);
  return 0;
}
