// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows have their own lengths, and a thread's loop over its row has barriers.
// run: program
// finds: diverged_barrier
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void rows(const int* in, int*, int* out) {
  __shared__ int column[128];
  const int t = threadIdx.x, length = in[t];
  int sum = 0;
  int at = 0;
  while (at < length) {
    const int mine = in[(t + at) % 128];
    column[t] = mine;
    __syncthreads();
    for (int step = 1; step < 4; ++step) {
      sum += column[(t + step) % 128] * mine;
    }
    __syncthreads();
    ++at;
  }
  column[t] = sum;
  __syncthreads();  // first
  out[t] = column[127 - t] + at;
}

int main() {
  int input[128], result[128] = {}, *in, *lock, *out;
  for (int i = 0; i < 128; ++i) input[i] = 3 + i % 5 / 2;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 1 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 1 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  rows<<<1, 128>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[100]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
