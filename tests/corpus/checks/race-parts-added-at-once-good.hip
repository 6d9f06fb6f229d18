// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread that brings the last count sums up all blocks' parts at once.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

struct progress {
  unsigned done;
  int parts[6];
  int total;
};

__global__ void add_parts(const int* in, progress* p) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x != 0) return;
  p->parts[blockIdx.x] = sum;
  __threadfence();
  const unsigned before = atomicAdd(&p->done, 1);
  if (before + 1 < gridDim.x) return;
  __threadfence();
  int total = 0;
  for (int b = 0; b < gridDim.x; ++b) total += p->parts[b];
  p->total = total;
}

int main() {
  int host[6 * 32], *in;
  progress result, *p;
  for (int i = 0; i < 6 * 32; ++i) host[i] = i;
  hipMalloc(&in, sizeof host);
  hipMalloc(&p, sizeof(progress));
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(p, 0, sizeof(progress));
  add_parts<<<6, 32>>>(in, p);
  hipMemcpy(&result, p, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d\n", result.total);
  hipFree(in);
  hipFree(p);
}
