// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane looks twice a round at what the next one sets behind the loop.
// run: program
// finds: wait_within_warp
// lane: 30 62
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void follow(int* done, int* roots, int last) {
  const int i = threadIdx.x;
  int looks = 0;
  while (i < last && atomicOr(&done[i + 1], 0) == 0) {  // first
    if (atomicOr(&done[i + 1], 0) == 0) looks++;
  }
  roots[i] = looks < 0 ? -1 : last;
  atomicExch(&done[i], 1);
}

int main() {
  int parents[64], sum = 0;
  int *done, *roots;
  hipMalloc(&done, sizeof parents);
  hipMalloc(&roots, sizeof parents);
  hipMemset(done, 0, sizeof parents);
  follow<<<1, 64>>>(done, roots, 63);
  hipMemcpy(parents, roots, sizeof parents, hipMemcpyDeviceToHost);
  for (const int parent : parents) sum += parent;
  std::printf("%d\n", sum);
  hipFree(done);
  hipFree(roots);
}
