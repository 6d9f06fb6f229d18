// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of same.hip, line by line, in OpenCL C.
#define TILE 16
#define GROUP 256

__kernel void matmul(__global float* c, __global const float* a, __global const float* b, int n) {
  __local float tile_a[TILE][TILE];
  __local float tile_b[TILE][TILE];
  const int local_row = get_local_id(1), local_column = get_local_id(0);
  const int row = get_group_id(1) * TILE + local_row, column = get_group_id(0) * TILE + local_column;
  float sum = 0.0f;
  for (int start = 0; start < n; start += TILE) {
    tile_a[local_row][local_column] = a[row * n + start + local_column];
    tile_b[local_row][local_column] = b[(start + local_row) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i) sum += tile_a[local_row][i] * tile_b[i][local_column];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

__kernel void reduction(__global float* sums, __global const float* x) {
  __local float part[GROUP];
  const int lane = get_local_id(0);
  part[lane] = x[get_group_id(0) * GROUP + lane];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_of = GROUP / 2; half_of > 0; half_of /= 2) {
    if (lane < half_of) part[lane] += part[lane + half_of];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) sums[get_group_id(0)] = part[0];
}
