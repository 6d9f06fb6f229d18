// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread but the outer ones replaces its value by the sum of its neighbours'.
// run: program
// finds: data_race
// lane: 2 2
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void smooth(const int* in, int* values) {
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
  if (t > 0 && t < 127) {
    values[t] = values[t - 1] + values[t + 1];  // first
  }
}

int main() {
  int in[128];
  for (int i = 0; i < 128; ++i) in[i] = (i * 37) % 128;
  int out[128] = {};
  int* a = nullptr;
  int* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  smooth<<<1, 128>>>(a, b);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[127]));
  return hipFree(a) || hipFree(b);
}
