// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run: program
// finds: async_race
// The host reads managed memory that a kernel may still write.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i + 1;
}

int main() {
  const int n = 1000;
  int* data;
  hipMallocManaged(&data, n * sizeof(int));
  fill<<<(n + 127) / 128, 128>>>(data, n);  // second
  long long sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += data[i];  // first
  }
  printf("%lld\n", sum);
  hipFree(data);
  return sum != 500500;
}
