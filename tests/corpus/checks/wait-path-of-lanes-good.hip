// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane follows a path to its end, and looks twice at each of its places. Others shorten the path behind their
// loop. It waits for none of them: it goes on with what it finds.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void follow(int* parents) {
  const int i = threadIdx.x;
  int place = i;
  while (place < atomicOr(&parents[place], 0)) {
    place = atomicOr(&parents[place], 0);
  }
  atomicExch(&parents[i], place);
}

int main() {
  int parents[64], sum = 0;
  for (int i = 0; i < 64; i++) parents[i] = i < 63 ? i + 1 : 63;
  int* paths;
  hipMalloc(&paths, sizeof parents);
  hipMemcpy(paths, parents, sizeof parents, hipMemcpyHostToDevice);
  follow<<<1, 64>>>(paths);
  hipMemcpy(parents, paths, sizeof parents, hipMemcpyDeviceToHost);
  for (const int parent : parents) sum += parent;
  std::printf("%d\n", sum);
  hipFree(paths);
}
