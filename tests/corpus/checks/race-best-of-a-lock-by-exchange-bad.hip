// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that is taken in a branch guards a value and its index, and has no fences.
// run: program
// finds: data_race
// lane: 1 1
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ int lock;

__global__ void best(const int* in, int* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (bool waits = true; waits;) {
    if (atomicExch(&lock, 1) == 0) {
      if (in[i] > found[0]) {  // second
        found[0] = in[i];      // first
        found[1] = i;
      }
      atomicExch(&lock, 0);
      waits = false;
    }
  }
}

int main() {
  int in[64];
  for (int i = 0; i < 64; ++i) in[i] = (i * 37) % 64;
  int out[2] = {};
  int* a = nullptr;
  int* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  best<<<2, 32>>>(a, b);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[1]));
  return hipFree(a) || hipFree(b);
}
