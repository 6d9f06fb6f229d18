// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop is in a function that one of two branches calls.
// run: program
// finds: wait_within_warp
// lane: 3 3
// other lane: 9 9
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ void wait_for(int* flag) {
  while (atomicAdd(flag, 0) == 0) continue;  // first
}

__global__ void hand_over(const int* in, int* lock, int* out) {
  if (threadIdx.x == 3) {
    wait_for(lock);
    out[0] = in[3];
  } else if (threadIdx.x == 9) {
    atomicExch(lock, 1);  // second
  }
}

int main() {
  int input[64], result[2] = {}, *in, *lock, *out;
  for (int i = 0; i < 64; ++i) input[i] = i * 7 % 31;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 2 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 2 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  hand_over<<<1, 64>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
