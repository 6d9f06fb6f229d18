// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of one kind exchange values in their case, and the others do not come to its barrier.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void kinds(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = in[t] + 1;
  __syncthreads();
  out[t] = in[t] % 2 == 1 ? values[(t + 32) % 64] + in[t] + 1 : 1;
  __syncthreads();
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
