// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes draw tickets, and are served one after the other.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void serve(const int* in, int* lock, int* out) {
  const int ticket = atomicAdd(&lock[0], 1);
  bool is_served = false;
  while (!is_served) {
    if (atomicAdd(&lock[1], 0) == ticket) {
      __threadfence();
      out[0] = out[0] * 3 % 1000 + in[threadIdx.x];
      __threadfence();
      atomicAdd(&lock[1], 1);
      is_served = true;
    }
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
  serve<<<1, 64>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
