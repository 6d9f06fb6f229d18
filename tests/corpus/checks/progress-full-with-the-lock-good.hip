// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It gives the lock back before it returns.
// run: program --timeout 0.3
#include <hip/hip_runtime.h>

#include <cstdio>

struct queue {
  int lock, size, items[4];
};

__device__ void take(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) continue;
  __threadfence();
}

__device__ void give_back(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__device__ bool push(queue* to, int item) {
  take(&to->lock);
  const bool has_space = to->size != 4;
  if (has_space) to->items[to->size++] = item;
  give_back(&to->lock);
  return has_space;
}

__global__ void fill(const int* in, int* lock, int* out) {
  if (threadIdx.x != 0) return;
  if (push(reinterpret_cast<queue*>(lock), in[blockIdx.x])) atomicAdd(out, 1);
}

int main() {
  int input[8], result[2] = {}, *in, *lock, *out;
  for (int i = 0; i < 8; ++i) input[i] = i * 7 % 31;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 8 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 8 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  fill<<<8, 64>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
