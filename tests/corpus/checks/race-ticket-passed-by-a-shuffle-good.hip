// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One warp in a block: the last block's lanes learn by a shuffle that they are last, and read the others' counts.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count_positive(const int* in, int* counts, unsigned* tickets, int* total) {
  const int lane = threadIdx.x;
  const int mine = __popcll(__ballot(in[blockIdx.x * warpSize + lane] > 0));
  unsigned ticket = 0;
  if (lane == 0) {
    counts[blockIdx.x] = mine;
    __threadfence();
    ticket = atomicInc(tickets, gridDim.x - 1);
  }
  ticket = __shfl(ticket, 0);
  if (ticket != gridDim.x - 1) return;
  __syncwarp();
  __threadfence();
  int sum = lane < gridDim.x ? counts[lane] : 0;
  for (int d = warpSize / 2; d > 0; d /= 2) sum += __shfl_down(sum, d);
  if (lane == 0) *total = sum;
}

int main() {
  int lanes = 0, device = 0;
  hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, device);
  int host[5 * 64], result = 0, *in, *counts, *total;
  unsigned* tickets;
  for (int i = 0; i < 5 * 64; ++i) host[i] = i % 5 - 2;
  hipMalloc(&in, sizeof host);
  hipMalloc(&counts, 5 * sizeof(int));
  hipMalloc(&total, sizeof(int));
  hipMalloc(&tickets, sizeof(unsigned));
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(tickets, 0, sizeof(unsigned));
  count_positive<<<5, lanes>>>(in, counts, tickets, total);
  hipMemcpy(&result, total, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d\n", result);
  hipFree(in);
  hipFree(counts);
  hipFree(total);
  hipFree(tickets);
}
