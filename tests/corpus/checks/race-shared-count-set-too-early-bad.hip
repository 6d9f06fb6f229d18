// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In shared memory: the last thread sets a count to zero while others may still add to it.
// run: program
// finds: data_race
// lane: 31 63
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count_rounds(const int* in, int* found) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int round = 0; round < 2; ++round) {
    if (in[threadIdx.x] > round) atomicAdd(&count, 1);  // second
    if (threadIdx.x == blockDim.x - 1) {
      found[round] = atomicAdd(&count, 0);
      count = 0;  // first
    }
    __syncthreads();
  }
}

int main() {
  int host[128], *in, *found;
  for (int i = 0; i < 128; ++i) host[i] = 3;
  hipMalloc(&in, sizeof host);
  hipMalloc(&found, 2 * sizeof(int));
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  count_rounds<<<1, 128>>>(in, found);
  hipMemcpy(host, found, 2 * sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[1]);
  hipFree(in);
  hipFree(found);
}
