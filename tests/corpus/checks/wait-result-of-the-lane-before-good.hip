// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane but the first waits for the result of the one before it.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void chain(const int* in, int* out) {
  const int t = threadIdx.x;
  int sum = in[t];
  for (int distance = 1; distance < warpSize; distance *= 2) {
    const int before = __shfl_up(sum, distance);
    if (t >= distance) sum += before;
  }
  out[t] = sum;
}

int main() {
  int in[32];
  for (int i = 0; i < 32; ++i) in[i] = (i * 37) % 32;
  int out[32] = {};
  int* a = nullptr;
  int* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  chain<<<1, 32>>>(a, b);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[31]));
  return hipFree(a) || hipFree(b);
}
