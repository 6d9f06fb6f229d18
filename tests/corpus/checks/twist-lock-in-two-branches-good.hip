// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lock for two branches: each lane gives it back in the branch that took it.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ bool try_lock(int* lock) { return atomicCAS(lock, 0, 1) == 0; }

__global__ void add_by_kind(const int* in, int* lock, int* out) {
  const int mine = in[threadIdx.x];
  if (mine > 10) {
    for (bool waits = true; waits;) {
      if (!try_lock(lock)) continue;
      __threadfence();
      out[0] += mine;
      __threadfence();
      atomicExch(lock, 0);
      waits = false;
    }
  } else {
    for (bool waits = true; waits;) {
      if (!try_lock(lock)) continue;
      __threadfence();
      out[1] += mine;
      __threadfence();
      atomicExch(lock, 0);
      waits = false;
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
  add_by_kind<<<1, 64>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
