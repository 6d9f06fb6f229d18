// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copy back counts doubles, and the buffer has floats.
// run: program
// finds: unchecked_error
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void squares(float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = static_cast<float>(i) * i;
}

int main() {
  constexpr int count = 100;
  static float host[2 * count];
  float* values;
  hipMalloc(&values, count * sizeof(float));
  squares<<<2, 64>>>(values, count);
  hipMemcpy(host, values, count * sizeof(double), hipMemcpyDeviceToHost);  // first
  std::printf("%g %g\n", host[1], host[99]);
  hipFree(values);
}
