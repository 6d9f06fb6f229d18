// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread whose number is 0 stays until all of the block are done.
// run: program
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
  bool goes_on = true;
  while (__syncthreads_or(goes_on)) {
    const int other = left[(t + 1) % 128];
    __syncthreads();
    if (other == 0) goes_on = false;
    left[t] = other / 2;
    if (goes_on) ++count;
    __syncthreads();
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
