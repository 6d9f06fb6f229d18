// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum of seven neighbors, through shared memory.
#include "program.hpp"

constexpr int radius = 3, threads = 256;

__global__ void stencil(const float* in, float* out, int size) {
  __shared__ float part[threads + 2 * radius];
  const int i = blockIdx.x * threads + threadIdx.x, at = threadIdx.x + radius;
  part[at] = i < size ? in[i] : 0;
  if (threadIdx.x < radius) {
    part[threadIdx.x] = i >= radius ? in[i - radius] : 0;
    part[at + threads] = i + threads < size ? in[i + threads] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = -radius; k <= radius; ++k) sum += part[at + k];
  if (i < size) out[i] = sum;
}

int main() {
  const int size = (1 << 21) + 77;
  const std::vector<float> in = numbers<float>(size, 1000);
  std::vector<float> expected(size);
  for (int i = 0; i < size; ++i) {
    for (int k = i - radius; k <= i + radius; ++k) expected[i] += k >= 0 && k < size ? in[k] : 0;
  }
  const device_array<float> on_in(in), out(size);
  stencil<<<(size + threads - 1) / threads, threads>>>(on_in, out, size);
  return compare(out, expected);
}
