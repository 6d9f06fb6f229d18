// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sixteen weights that the program has cleared are scattered to eight places.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void scatter(const int* keys, const int* weights, int* table) {
  const int i = threadIdx.x;
  atomicAdd(&table[keys[i]], weights[i]);
}

int main() {
  int keys[16], host[16], *in_keys, *weights, *table;
  for (int i = 0; i < 16; ++i) keys[i] = i / 2;
  hipMalloc(&in_keys, sizeof keys);
  hipMalloc(&weights, sizeof host);
  hipMalloc(&table, sizeof host);
  hipMemcpy(in_keys, keys, sizeof keys, hipMemcpyHostToDevice);
  hipMemset(weights, 0, sizeof host);
  hipMemset(table, 0, sizeof host);
  scatter<<<1, 16>>>(in_keys, weights, table);
  hipMemcpy(host, table, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host[3]);
  hipFree(in_keys);
  hipFree(weights);
  hipFree(table);
}
