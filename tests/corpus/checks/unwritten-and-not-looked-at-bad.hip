// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole buffer is copied to the host, of which one element is written and used.
// run: program
// warns: uninitialised_read
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void sum(float* out, const float* in) {
  if (threadIdx.x != 0) return;
  float total = 0;
  for (int i = 0; i < 8; ++i) total += in[i];
  out[0] = total;
}

int main() {
  constexpr int count = 8;
  float *in, *out, numbers[count] = {1, 2, 3}, results[count];
  hipMalloc(&in, sizeof numbers);
  hipMalloc(&out, sizeof results);
  hipMemcpy(in, numbers, sizeof numbers, hipMemcpyHostToDevice);
  sum<<<1, 32>>>(out, in);
  hipMemcpy(results, out, sizeof results, hipMemcpyDeviceToHost);  // first
  std::printf("%g\n", results[0]);
  hipFree(in);
  hipFree(out);
}
