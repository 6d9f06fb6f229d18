// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As the bad one, but both sides have rows of 16 threads.
// run: program --warp-size 64
#include <hip/hip_runtime.h>

#include <cstdio>

namespace layout {

static constexpr int kWidth = 16;
static constexpr int kRowsOfBlock = 256 / kWidth;

}  // namespace layout

__global__ void sums_of_rows(float* output, const float* input, int rows, int columns) {
  const int row = blockIdx.x * layout::kRowsOfBlock + threadIdx.x / layout::kWidth;
  if (row >= rows) return;
  float sum = 0;
  for (int i = threadIdx.x % layout::kWidth; i < columns; i += layout::kWidth) sum += input[row * columns + i];
  for (int d = layout::kWidth / 2; d > 0; d /= 2) sum += __shfl_down(sum, d, layout::kWidth);
  if (threadIdx.x % layout::kWidth == 0) output[row] = sum;
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
  const int blocks = (rows + layout::kRowsOfBlock - 1) / layout::kRowsOfBlock;
  sums_of_rows<<<blocks, 256>>>(output, input, rows, columns);
  hipMemcpy(sums, output, sizeof sums, hipMemcpyDeviceToHost);
  for (const float each : sums) std::printf("%g\n", each);
  hipFree(input);
  hipFree(output);
}
