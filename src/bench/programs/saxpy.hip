// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a * x + y, each thread for several elements a grid apart.
#include "program.hpp"

__global__ void saxpy(float a, const float* x, float* y, int size) {
  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride) y[i] = a * x[i] + y[i];
}

int main() {
  const int size = 1 << 22;
  const std::vector<float> x = numbers<float>(size, 1000), y = numbers<float>(size, 1000, 2);
  std::vector<float> expected(size);
  for (int i = 0; i < size; ++i) expected[i] = 3 * x[i] + y[i];
  const device_array<float> on_x(x), on_y(y);
  saxpy<<<512, 256>>>(3, on_x, on_y, size);
  return compare(on_y, expected);
}
