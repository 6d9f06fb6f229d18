// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two reads of other elements, and then a write: one barrier between them is enough.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void products(const int* input, int* output) {
  __shared__ int tile[128];
  const int i = threadIdx.x;
  tile[i] = input[i];
  __syncthreads();
  const int next = tile[(i + 1) % 128];
  const int far = tile[(i + 70) % 128];
  __syncthreads();
  tile[i] = next + far;
  __syncthreads();
  output[i] = tile[127 - i];
}

int main() {
  int host[128], *input, *output;
  for (int i = 0; i < 128; ++i) host[i] = i;
  hipMalloc(&input, sizeof host);
  hipMalloc(&output, sizeof host);
  hipMemcpy(input, host, sizeof host, hipMemcpyHostToDevice);
  products<<<1, 128>>>(input, output);
  hipMemcpy(host, output, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host[5]);
  hipFree(input);
  hipFree(output);
}
