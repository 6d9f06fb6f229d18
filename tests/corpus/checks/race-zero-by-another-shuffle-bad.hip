// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane marks an element that another lane has looked at before. That one passes the number of the round, which
// happens to be what it has read: 0.
// run: program
// finds: data_race
// lane: 0 0
// other lane: 31 63
#include <hip/hip_runtime.h>

__global__ void mark_next(int* marks, int* seen) {
  const int next = (threadIdx.x + 1) % warpSize;
  seen[threadIdx.x] = marks[next];  // second
  int round = 0;
  while (marks[warpSize + round] != 0) ++round;
  round = __shfl(round, (threadIdx.x + warpSize - 1) % warpSize);
  marks[threadIdx.x] = round + 1;  // first
}

int main() {
  int *marks, *seen;
  hipMalloc(&marks, 256 * sizeof(int));
  hipMalloc(&seen, 64 * sizeof(int));
  hipMemset(marks, 0, 256 * sizeof(int));
  mark_next<<<1, warpSize>>>(marks, seen);
  hipDeviceSynchronize();
  hipFree(marks);
  hipFree(seen);
  return 0;
}
