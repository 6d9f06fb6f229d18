// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane of a warp after the other waits.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ int enter(int* lock) {
  const int ticket = atomicAdd(&lock[0], 1);
  while (true) {
    if (atomicAdd(&lock[1], 0) == ticket) break;
  }
  __threadfence();
  return ticket;
}

__device__ void leave(int* lock, int ticket) {
  __threadfence();
  atomicExch(&lock[1], ticket + 1);
}

__global__ void serve(const int* in, int* lock, int* out) {
  for (int begin = 0; begin < 100; begin += blockDim.x) {
    const int i = begin + threadIdx.x;
    for (int turn = 0; turn < warpSize; ++turn) {
      if (threadIdx.x % warpSize == turn && i < 100) {
        const int ticket = enter(lock);
        out[0] = out[0] * 3 % 1000 + in[i];
        leave(lock, ticket);
      }
      __syncwarp(~0ull);
    }
  }
}

int main() {
  int input[100], result[2] = {}, *in, *lock, *out;
  for (int i = 0; i < 100; ++i) input[i] = i * 7 % 31;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 2 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 2 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  serve<<<1, 64>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
