// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier is left out in small blocks, outside of any loop.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void reversed(const int* input, int* output, int n) {
  __shared__ int tile[256];
  const int i = threadIdx.x;
  tile[i] = input[i];
  __syncthreads();
  output[i] = tile[n - 1 - i];
}

int main() {
  int host[128], *input, *output;
  for (int i = 0; i < 128; ++i) host[i] = i;
  hipMalloc(&input, sizeof host);
  hipMalloc(&output, sizeof host);
  hipMemcpy(input, host, sizeof host, hipMemcpyHostToDevice);
  reversed<<<1, 128>>>(input, output, 128);
  hipMemcpy(host, output, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host[5]);
  hipFree(input);
  hipFree(output);
}
