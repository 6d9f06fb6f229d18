// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows get mean 0 and variance 1: a block for each row.
#include "program.hpp"

__device__ float sum_of_block(float value, float* parts) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_xor(value, offset);
  __syncthreads();
  if (threadIdx.x % warpSize == 0) parts[threadIdx.x / warpSize] = value;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < blockDim.x / warpSize; ++i) sum += parts[i];
  return sum;
}

__global__ void normalize(const float* in, float* out) {
  __shared__ float parts[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mean = sum_of_block(in[i], parts) / blockDim.x, apart = in[i] - mean;
  const float variance = sum_of_block(apart * apart, parts) / blockDim.x;
  out[i] = apart / sqrtf(variance + 1);
}

int main() {
  const int rows = 4096, columns = 256;
  const std::vector<float> in = numbers<float>(rows * columns, 100);
  const device_array<float> on_in(in), out(rows * columns);
  normalize<<<rows, columns>>>(on_in, out);
  const std::vector<float> found = out.values();
  bool is_right = true;
  for (int row = 0; row < rows; ++row) {
    double mean = 0, variance = 0;
    for (int i = 0; i < columns; ++i) mean += in[row * columns + i] / columns;
    for (int i = 0; i < columns; ++i) variance += std::pow(in[row * columns + i] - mean, 2) / columns;
    for (int i = 0; i < columns; ++i) {
      const double expected = (in[row * columns + i] - mean) / std::sqrt(variance + 1);
      if (!(std::fabs(found[row * columns + i] - expected) <= 1e-4)) is_right = false;
    }
  }
  return finish(is_right);
}
