// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the copy into a new buffer fails, the function returns without the buffer.
// modelled on: https://github.com/NVIDIA/stdexec/pull/2220
// run: program
// warns: leak
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void twice(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

float* on_device(const float* values, int n) {
  float* made = nullptr;
  if (hipMalloc(&made, n * sizeof(float)) != hipSuccess) return nullptr;  // first
  if (hipMemcpy(made, values, n * sizeof(float), hipMemcpyHostToDevice) != hipSuccess) return nullptr;
  return made;
}

int main() {
  constexpr int n = 100;
  float measured[n];
  for (int i = 0; i < n; ++i) measured[i] = i;
  float* const present = on_device(measured, n);
  float* const absent = on_device(nullptr, n);
  twice<<<2, 64>>>(present, n);
  hipMemcpy(measured, present, sizeof measured, hipMemcpyDeviceToHost);
  std::printf("%.1f, and %s\n", measured[n - 1], absent == nullptr ? "nothing" : "something");
  hipFree(present);
  return 0;
}
