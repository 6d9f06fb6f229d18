// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The maximum of the first lanes goes over a warp in which the others do not take part.
// run: program --warp-size 32
// finds: diverged_collective
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void largest(const float* in, float* out, int size) {
  const int t = threadIdx.x;
  if (t < size) {
    float top = in[t];
    for (int offset = warpSize / 2; offset > 0; offset /= 2) top = fmaxf(top, __shfl_down(top, offset));  // first
    if (t == 0) *out = top;
  }
}

int main() {
  float in[64];
  for (int i = 0; i < 64; ++i) in[i] = (i * 37) % 64;
  float out[1] = {};
  float* a = nullptr;
  float* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  largest<<<1, 64>>>(a, b, 20);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[0]));
  return hipFree(a) || hipFree(b);
}
