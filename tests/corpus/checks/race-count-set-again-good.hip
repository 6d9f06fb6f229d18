// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last block of a sum sets the count of blocks again by a plain store, as published examples do.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ unsigned arrived = 0;

__global__ void add(const int* in, int* parts, int* total) {
  __shared__ int sum;
  __shared__ bool is_last;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  int all = 0;
  for (int b = 0; b < gridDim.x; ++b) all += parts[b];
  *total = all;
  atomicExch(&arrived, 0u);
}

int main() {
  int host[256], *in, *parts;
  for (int i = 0; i < 256; ++i) host[i] = i;
  hipMalloc(&in, sizeof host);
  hipMalloc(&parts, 5 * sizeof(int));
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  for (int round = 0; round < 2; ++round) add<<<4, 64>>>(in, parts, parts + 4);
  hipMemcpy(host, parts + 4, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  hipFree(in);
  hipFree(parts);
}
