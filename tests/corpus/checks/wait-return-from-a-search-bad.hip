// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane takes the lock, and one that finds its key gives it back and returns from within the loop.
// run: program
// finds: wait_within_warp
// lane: 1 1
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ int lock;

__global__ void insert(const int* in, int* table) {
  const int key = in[threadIdx.x] % 16 + 1;
  while (atomicCAS(&lock, 0, 1) != 0) continue;  // first
  __threadfence();
  for (int i = 0; i < 32; ++i) {
    if (table[i] == key) {
      __threadfence();
      atomicExch(&lock, 0);
      return;
    }
    if (table[i] == 0) {
      table[i] = key;
      break;
    }
  }
  __threadfence();
  atomicExch(&lock, 0);  // second
  atomicAdd(&table[32], 1);
}

int main() {
  int in[64];
  for (int i = 0; i < 64; ++i) in[i] = (i * 37) % 64;
  int out[33] = {};
  int* a = nullptr;
  int* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  insert<<<1, 64>>>(a, b);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[32]));
  return hipFree(a) || hipFree(b);
}
