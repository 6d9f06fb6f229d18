// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All threads make as many rounds, and those without an element do nothing in the last one.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void running_sums(const int* in, int n, int* out) {
  __shared__ int tile[128];
  int sum = 0;
  for (int begin = 0; begin < n; begin += blockDim.x) {
    const int i = begin + threadIdx.x;
    if (i < n) tile[threadIdx.x] = in[i];
    __syncthreads();
    if (i < n) sum += tile[threadIdx.x] + (i % 128 != 0 ? tile[threadIdx.x - 1] : 0);
    __syncthreads();
  }
  tile[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x < 2) out[threadIdx.x] = tile[threadIdx.x] + tile[127 - threadIdx.x];
}

int main() {
  int input[200], result[2] = {}, *in, *lock, *out;
  for (int i = 0; i < 200; ++i) input[i] = i * 7 % 31;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 1 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 1 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  running_sums<<<1, 128>>>(in, 200, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
