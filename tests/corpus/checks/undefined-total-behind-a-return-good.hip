// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes past the end take part in the sum with a 0.
// run: program --warp-size 64
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void totals(const int* in, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < n ? in[i] : 0;
  for (int offset = 1; offset < warpSize; offset *= 2) sum += __shfl_xor(sum, offset);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
  int input[100], result[2] = {}, *in, *lock, *out;
  for (int i = 0; i < 100; ++i) input[i] = i * 7 % 31;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 1 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 1 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  totals<<<2, 64>>>(in, 100, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
