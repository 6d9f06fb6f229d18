// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads halve their numbers, and leave the loop of barriers when theirs is 0.
// run: program
// finds: diverged_barrier
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void steps(const int* in, int*, int* out) {
  __shared__ int left[128];
  __shared__ int total;
  const int t = threadIdx.x;
  left[t] = in[t];
  if (t == 0) total = 0;
  __syncthreads();
  int count = 0;
  while (true) {
    const int other = left[(t + 1) % 128];
    __syncthreads();
    if (other == 0) {
      left[t] = 0;
      break;
    }
    left[t] = other / 2;
    ++count;
    __syncthreads();  // first
  }
  atomicAdd(&total, count);
  __syncthreads();
  if (t == 0) out[0] = total;
}

int main() {
  int input[128], result[2] = {}, *in, *lock, *out;
  for (int i = 0; i < 128; ++i) input[i] = i * 7 % 31;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 1 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 1 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  steps<<<1, 128>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
