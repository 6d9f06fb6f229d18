// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tree has its barrier in each round.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int wavefront = 64;

__global__ void largest(const int* in, int* out) {
  __shared__ int values[128];
  const int thread = threadIdx.x;
  values[thread] = in[thread];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (thread < half) values[thread] = max(values[thread], values[thread + half]);
    __syncthreads();
  }
  if (thread == 0) *out = values[0];
}

int main() {
  int in[128], out = 0;
  for (int i = 0; i < 128; ++i) in[i] = i * 73 % 128;
  int *a, *b;
  hipMalloc(&a, sizeof in);
  hipMalloc(&b, sizeof out);
  hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice);
  largest<<<1, 128>>>(a, b);
  hipMemcpy(&out, b, sizeof out, hipMemcpyDeviceToHost);
  std::printf("%d\n", out);
  hipFree(a);
  hipFree(b);
}
