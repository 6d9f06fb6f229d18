// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of two blocks write the maximum of what is there and their own value.
// run: program
// finds: data_race
// lane: 1 1
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void largest(const int* in, int* top) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  *top = max(*top, in[i]);  // first
}

int main() {
  int in[128];
  for (int i = 0; i < 128; ++i) in[i] = (i * 37) % 128;
  int out[1] = {};
  int* a = nullptr;
  int* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  largest<<<2, 64>>>(a, b);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[0]));
  return hipFree(a) || hipFree(b);
}
