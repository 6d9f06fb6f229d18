// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock is an object, whose function waits.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

struct spin_lock {
  int* word;

  __device__ bool try_lock() {
    if (atomicCAS(word, 0, 1) != 0) return false;
    __threadfence();
    return true;
  }

  __device__ void unlock() {
    __threadfence();
    atomicExch(word, 0);
  }
};

__global__ void add_all(const int* in, int* lock, int* out) {
  spin_lock mutex{lock};
  int sum = 0;
  for (bool has_added = false; !has_added;) {
    if (mutex.try_lock()) {
      sum = out[0] + in[threadIdx.x];
      out[0] = sum;
      mutex.unlock();
      has_added = true;
    }
  }
  if (threadIdx.x == 63) out[1] = sum > 0;
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
  add_all<<<1, 64>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
