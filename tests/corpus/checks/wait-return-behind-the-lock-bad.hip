// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane takes the lock behind a loop, and has two ways out of where it holds it.
// run: program
// finds: wait_within_warp
// lane: 1 1
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add(const int* in, int* lock, int* out) {
  const int mine = in[threadIdx.x];
  while (atomicCAS(lock, 0, 1) != 0) continue;  // first
  __threadfence();
  if (mine % 3 == 0) {
    __threadfence();
    atomicExch(lock, 0);
    return;
  }
  out[0] += mine;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int input[64], result[2] = {}, *in, *lock, *out;
  for (int i = 0; i < 64; ++i) input[i] = i * 7 % 31;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 1 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 1 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  add<<<1, 64>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
