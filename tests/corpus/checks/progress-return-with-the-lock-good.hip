// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock is given back on each way out.
// run: program --timeout 0.3
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add(const int* in, int* lock, int* out) {
  const int mine = in[blockIdx.x];
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    if (mine % 3 == 0) {
      __threadfence();
      atomicExch(lock, 0);
      return;
    }
    out[0] += mine;
    __threadfence();
    atomicExch(lock, 0);
  }
}

int main() {
  int input[8], result[2] = {}, *in, *lock, *out;
  for (int i = 0; i < 8; ++i) input[i] = i * 7 % 31;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 1 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 1 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  add<<<8, 64>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
