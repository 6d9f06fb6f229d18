// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of kernels.hip, line by line, in OpenCL C.
#define TILE 16
#define GROUP 256
#define BINS 64

__kernel void neighbor(__global float* difference, __global const float* x, uint n) {
  const uint i = get_group_id(0) * GROUP + get_local_id(0);
  difference[i] = i + 1 < n ? x[i + 1] - x[i] : 0.0f;
}

__kernel void block_sums(__global float* sums, __global const float* x, uint n) {
  __local float part[GROUP];
  const uint lane = get_local_id(0);
  part[lane] = x[get_group_id(0) * GROUP + lane];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_size = GROUP / 2; half_size > 0; half_size /= 2) {
    if (lane < half_size) part[lane] += part[lane + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) sums[get_group_id(0)] = part[0];
}

__kernel void scan(__global float* sums, __global const float* x, uint n) {
  __local float part[2][GROUP];
  const uint lane = get_local_id(0), i = get_group_id(0) * GROUP + lane;
  uint from = 0;
  part[0][lane] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 1; distance < GROUP; distance *= 2) {
    const float before = lane >= distance ? part[from][lane - distance] : 0.0f;
    part[1 - from][lane] = before + part[from][lane];
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sums[i] = part[from][lane];
}

__kernel void reduction(__global uint* sum, __global const float* x, uint n) {
  __local int part[GROUP];
  const uint lane = get_local_id(0);
  part[lane] = (int)x[get_group_id(0) * GROUP + lane];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_size = GROUP / 2; half_size > 0; half_size /= 2) {
    if (lane < half_size) part[lane] += part[lane + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) atomic_add(sum, (uint)part[0]);
}

__kernel void histogram(__global uint* counts, __global const float* x, uint n) {
  __local uint part[BINS];
  const uint lane = get_local_id(0);
  if (lane < BINS) part[lane] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&part[(uint)(x[get_group_id(0) * GROUP + lane] + 5.0f) * 5], 1u);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane < BINS && part[lane] != 0) atomic_add(&counts[lane], part[lane]);
}

__kernel void stencil(__global float* sums, __global const float* x, uint n) {
  const uint row = get_group_id(1) * TILE + get_local_id(1), column = get_group_id(0) * TILE + get_local_id(0);
  const uint i = row * n + column;
  float sum = x[i];
  if (row > 0) sum += x[i - n];
  if (row + 1 < n) sum += x[i + n];
  if (column > 0) sum += x[i - 1];
  if (column + 1 < n) sum += x[i + 1];
  sums[i] = sum;
}

__kernel void matmul(__global float* c, __global const float* a, __global const float* b, uint n) {
  __local float tile_a[TILE][TILE];
  __local float tile_b[TILE][TILE];
  const uint local_row = get_local_id(1), local_column = get_local_id(0);
  const uint row = get_group_id(1) * TILE + local_row, column = get_group_id(0) * TILE + local_column;
  float sum = 0.0f;
  for (uint start = 0; start < n; start += TILE) {
    tile_a[local_row][local_column] = a[row * n + start + local_column];
    tile_b[local_row][local_column] = b[(start + local_row) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < TILE; ++i) sum += tile_a[local_row][i] * tile_b[i][local_column];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
