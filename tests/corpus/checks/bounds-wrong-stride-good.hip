// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of 32 elements where they have 20.
// run: --tiled-matmul --shape 20x20x20
__global__ void kernel_under_test(float* c, const float* a, const float* b, int m, int n, int k) {
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int l = 0; l < k; ++l) sum += a[row * k + l] * b[l * n + column];
  c[row * n + column] = sum;
}
