// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each step of the scan reads what other threads write in the same step, for those that have somebody before them.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void scan(const int* in, int* out) {
  __shared__ int sums[128];
  const int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  for (int distance = 1; distance < 128; distance *= 2) {
    const int before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  out[t] = sums[t];
}

int main() {
  int in[128];
  for (int i = 0; i < 128; ++i) in[i] = (i * 37) % 128;
  int out[128] = {};
  int* a = nullptr;
  int* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  scan<<<1, 128>>>(a, b);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[127]));
  return hipFree(a) || hipFree(b);
}
