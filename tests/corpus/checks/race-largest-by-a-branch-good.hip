// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread compares its value with the largest one, and sets it.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void largest(const float* in, float* out) {
  __shared__ float top;
  if (threadIdx.x == 0) top = -1e30f;
  __syncthreads();
  atomicMax(&top, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) *out = top;
}

int main() {
  float in[64];
  for (int i = 0; i < 64; ++i) in[i] = (i * 37) % 64;
  float out[1] = {};
  float* a = nullptr;
  float* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  largest<<<1, 64>>>(a, b);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[0]));
  return hipFree(a) || hipFree(b);
}
