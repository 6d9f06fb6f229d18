// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane of a warp after the other draws a ticket.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

struct counter {
  int next, serving;
};

__device__ void enter(counter* desk) {
  const int ticket = atomicAdd(&desk->next, 1);
  while (atomicAdd(&desk->serving, 0) != ticket) continue;
  __threadfence();
}

__device__ void leave(counter* desk) {
  __threadfence();
  atomicAdd(&desk->serving, 1);
}

__global__ void serve(const int* in, int* lock, int* out) {
  counter* const desk = reinterpret_cast<counter*>(lock);
  for (int turn = 0; turn < warpSize; ++turn) {
    if (threadIdx.x % warpSize == turn) {
      enter(desk);
      out[0] = out[0] * 3 % 1000 + in[threadIdx.x];
      leave(desk);
    }
    __syncwarp(~0ull);
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
  serve<<<2, 64>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
