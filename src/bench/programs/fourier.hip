// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A discrete Fourier transform of each block of 64 by its definition.
#include "program.hpp"

__global__ void transform(const float* in, float* real, float* imaginary) {
  __shared__ float part[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  part[threadIdx.x] = in[i];
  __syncthreads();
  float a = 0, b = 0;
  for (int k = 0; k < 64; ++k) {
    const float angle = -6.2831853f / 64 * (k * threadIdx.x % 64);
    a += part[k] * cosf(angle);
    b += part[k] * sinf(angle);
  }
  real[i] = a;
  imaginary[i] = b;
}

int main() {
  const int size = 1 << 15;
  const std::vector<float> in = numbers<float>(size, 100);
  const device_array<float> on_in(in), real(size), imaginary(size);
  transform<<<size / 64, 64>>>(on_in, real, imaginary);
  const std::vector<float> a = real.values(), b = imaginary.values();
  bool is_right = true;
  for (int i = 0; i < size; i += 61) {
    double sum_a = 0, sum_b = 0;
    for (int k = 0; k < 64; ++k) {
      const double angle = -2 * 3.14159265358979 / 64 * (k * (i % 64));
      sum_a += in[i / 64 * 64 + k] * std::cos(angle);
      sum_b += in[i / 64 * 64 + k] * std::sin(angle);
    }
    if (!(std::fabs(a[i] - sum_a) <= 0.05 && std::fabs(b[i] - sum_b) <= 0.05)) is_right = false;
  }
  return finish(is_right);
}
