// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread reads a shared sum behind its own addition, where the others may not have added yet.
// run: program
// finds: data_race
// lane: 31 31
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void shares(const int* in, int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[threadIdx.x]);               // second
  if (threadIdx.x == blockDim.x - 1) *out = sum;  // first
}

int main() {
  int host[96], *in, *out;
  for (int i = 0; i < 96; ++i) host[i] = i;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof(int));
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  shares<<<1, 96>>>(in, out);
  hipMemcpy(host, out, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  hipFree(in);
  hipFree(out);
}
