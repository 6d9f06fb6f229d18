// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several lanes write to one element what is 0 as the program has filled the memory with zeros.
// run: program
// finds: data_race
// lane: 1 1
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void scatter(const int* keys, const float* weights, float* table) {
  const int i = threadIdx.x;
  table[keys[i]] = weights[i];  // first
}

int main() {
  int keys[64], *in_keys;
  float host, *weights, *table;
  for (int i = 0; i < 64; ++i) keys[i] = i / 2;
  hipMalloc(&in_keys, sizeof keys);
  hipMalloc(&weights, 64 * sizeof(float));
  hipMalloc(&table, 64 * sizeof(float));
  hipMemcpy(in_keys, keys, sizeof keys, hipMemcpyHostToDevice);
  hipMemset(weights, 0, 64 * sizeof(float));
  hipMemset(table, 0, 64 * sizeof(float));
  scatter<<<1, 64>>>(in_keys, weights, table);
  hipMemcpy(&host, table, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%g\n", host);
  hipFree(in_keys);
  hipFree(weights);
  hipFree(table);
}
