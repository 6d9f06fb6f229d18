// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane calls a function that waits, and another lane signals behind that.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ bool is_set(int* flag) { return __hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != 0; }

__device__ void wait_until_set(int* flag) {
  while (!is_set(flag)) __builtin_amdgcn_s_sleep(1);
}

__global__ void hand_over(const int* in, int* lock, int* out) {
  const int lane = threadIdx.x % warpSize;
  if (threadIdx.x == 2) __hip_atomic_store(lock, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  if (threadIdx.x == 20) wait_until_set(lock);
  if (threadIdx.x == 20) out[0] = in[lane];
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
  hand_over<<<1, 64>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
