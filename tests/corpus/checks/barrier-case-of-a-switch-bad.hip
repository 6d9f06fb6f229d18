// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of one kind exchange values in their case, and the others do not come to its barrier.
// run: program
// finds: diverged_barrier
// lane: 0 0
// other lane: 1 1
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void kinds(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  switch (in[t] % 2) {
    case 1: {
      const auto mine = in[t] + 1;
      values[t] = mine;
      __syncthreads();  // second
      out[t] = values[(t + 32) % 64] + mine;
      break;
    }
    case 0:
      out[t] = 1;
      break;
  }
  __syncthreads();  // first
  if (t == 0) out[0] += values[1];
}

int main() {
  int in[64];
  for (int i = 0; i < 64; ++i) in[i] = (i * 37) % 64;
  int out[64] = {};
  int* a = nullptr;
  int* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  kinds<<<1, 64>>>(a, b);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[63]));
  return hipFree(a) || hipFree(b);
}
