// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bins are counted up without an atomic, and while other warps may clear them yet.
// run: program
// finds: data_race
// lane: 8 8
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void histogram(const int* in, int* out) {
  __shared__ int bins[8];
  if (threadIdx.x >= 120) bins[threadIdx.x - 120] = 0;
  bins[in[threadIdx.x] % 8]++;  // first
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}

int main() {
  int in[128];
  for (int i = 0; i < 128; ++i) in[i] = (i * 37) % 128;
  int out[8] = {};
  int* a = nullptr;
  int* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  histogram<<<1, 128>>>(a, b);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[7]));
  return hipFree(a) || hipFree(b);
}
