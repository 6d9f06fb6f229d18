// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows become numbers that add up to one: a warp finds each row's maximum and sum.
#include "program.hpp"

__global__ void softmax(const float* in, float* out, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
  float largest = -1e30f;
  for (int i = lane; i < columns; i += warpSize) largest = fmaxf(largest, in[row * columns + i]);
  for (int offset = warpSize / 2; offset > 0; offset /= 2) largest = fmaxf(largest, __shfl_xor(largest, offset));
  float sum = 0;
  for (int i = lane; i < columns; i += warpSize) sum += expf(in[row * columns + i] - largest);
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_xor(sum, offset);
  for (int i = lane; i < columns; i += warpSize) out[row * columns + i] = expf(in[row * columns + i] - largest) / sum;
}

int main() {
  const int rows = 8192, columns = 128;
  const std::vector<float> in = numbers<float>(rows * columns, 8);
  int lanes = 0;
  if (hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0) != hipSuccess) return 1;
  const device_array<float> on_in(in), out(rows * columns);
  softmax<<<rows * lanes / 256, 256>>>(on_in, out, columns);
  const std::vector<float> found = out.values();
  bool is_right = true;
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += std::exp(in[row * columns + i]);
    for (int i = 0; i < columns; ++i) {
      const double expected = std::exp(in[row * columns + i]) / sum;
      if (!(std::fabs(found[row * columns + i] - expected) <= 1e-5 * expected)) is_right = false;
    }
  }
  return finish(is_right);
}
