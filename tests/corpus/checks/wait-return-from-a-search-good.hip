// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane takes the lock, and one that finds its key gives it back and returns from within the loop.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ int lock;

__global__ void insert(const int* in, int* table) {
  const int key = in[threadIdx.x] % 16 + 1;
  bool is_new = false;
  for (bool waits = true; waits;) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      for (int i = 0; i < 32; ++i) {
        if (table[i] == key) break;
        if (table[i] == 0) {
          table[i] = key;
          is_new = true;
          break;
        }
      }
      __threadfence();
      atomicExch(&lock, 0);
      waits = false;
    }
  }
  if (is_new) atomicAdd(&table[32], 1);
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
