// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block has as many rows as warps, which are half as many on the device as the host believes.
// run: program --warp-size 64
// finds: warp_size_dependence
#include <hip/hip_runtime.h>

#include <cstdio>

namespace layout {

#ifdef __GFX9__
static constexpr int kWarpSize = 64;
#else
static constexpr int kWarpSize = 32;
#endif
static constexpr int kRowsOfBlock = 256 / kWarpSize;

}  // namespace layout

__global__ void sums_of_rows(float* output, const float* input, int rows, int columns) {
  const int row = blockIdx.x * layout::kRowsOfBlock + threadIdx.x / layout::kWarpSize;  // second
  if (row >= rows) return;
  float sum = 0;
  for (int i = threadIdx.x % layout::kWarpSize; i < columns; i += layout::kWarpSize) sum += input[row * columns + i];
  for (int d = layout::kWarpSize / 2; d > 0; d /= 2) sum += __shfl_down(sum, d, layout::kWarpSize);
  if (threadIdx.x % layout::kWarpSize == 0) output[row] = sum;
}

int main() {
  constexpr int rows = 16, columns = 96;
  float values[rows * columns], sums[rows];
  for (float& each : values) each = 1;
  float *input, *output;
  hipMalloc(&input, sizeof values);
  hipMalloc(&output, sizeof sums);
  hipMemset(output, 0, sizeof sums);
  hipMemcpy(input, values, sizeof values, hipMemcpyHostToDevice);
  const int blocks = (rows + layout::kRowsOfBlock - 1) / layout::kRowsOfBlock;  // first
  sums_of_rows<<<blocks, 256>>>(output, input, rows, columns);
  hipMemcpy(sums, output, sizeof sums, hipMemcpyDeviceToHost);
  for (const float each : sums) std::printf("%g\n", each);
  hipFree(input);
  hipFree(output);
}
