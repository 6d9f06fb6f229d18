// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier is in a branch, with a record of the program in front of it; the others come to one of their own.
// run: program
// finds: diverged_barrier
// lane: 0 0
// other lane: 20 20
#include <hip/hip_runtime.h>

#include <cstdio>

struct record {
  int value;
  int index;
};

__global__ void mirrored(const int* in, int* out, int size) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  if (t < size) {
    record mine{in[t], t};
    values[t] = mine.value;
    __syncthreads();  // first
    out[t] = values[size - 1 - t] + mine.index;
  } else {
    out[t] = in[t];
    __syncthreads();  // second
  }
}

int main() {
  int in[64];
  for (int i = 0; i < 64; ++i) in[i] = (i * 37) % 64;
  int out[64] = {};
  int* a = nullptr;
  int* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  mirrored<<<1, 64>>>(a, b, 20);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[63]));
  return hipFree(a) || hipFree(b);
}
