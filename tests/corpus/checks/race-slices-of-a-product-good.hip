// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split K: each slice adds its part of a tile to a workspace, and the slice that comes last at a tile sums them up.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int tile = 32, slices = 3, depth = 8;

__global__ void split_product(const int* a, const int* b, int* workspace, int* arrived, int* c) {
  const int column = blockIdx.x * tile + threadIdx.x, slice = blockIdx.y;
  int sum = 0;
  for (int k = slice * depth; k < (slice + 1) * depth; ++k) sum += a[k] * b[k * gridDim.x * tile + column];
  workspace[slice * gridDim.x * tile + column] = sum;
  __threadfence();
  __syncthreads();
  __shared__ int before;
  if (threadIdx.x == 0) before = atomicAdd(&arrived[blockIdx.x], 1);
  __syncthreads();
  if (before != slices - 1) return;
  __threadfence();
  int all = 0;
  for (int s = 0; s < slices; ++s) all += workspace[s * gridDim.x * tile + column];
  c[column] = all;
}

int main() {
  const int tiles = 2, columns = tiles * tile;
  int a[slices * depth], b[slices * depth * columns], result[columns];
  for (int i = 0; i < slices * depth; ++i) a[i] = i + 1;
  for (int i = 0; i < slices * depth * columns; ++i) b[i] = i % 7;
  int *da, *db, *workspace, *arrived, *c;
  hipMalloc(&da, sizeof a);
  hipMalloc(&db, sizeof b);
  hipMalloc(&workspace, slices * columns * sizeof(int));
  hipMalloc(&arrived, tiles * sizeof(int));
  hipMalloc(&c, sizeof result);
  hipMemcpy(da, a, sizeof a, hipMemcpyHostToDevice);
  hipMemcpy(db, b, sizeof b, hipMemcpyHostToDevice);
  hipMemset(arrived, 0, tiles * sizeof(int));
  split_product<<<dim3(tiles, slices), tile>>>(da, db, workspace, arrived, c);
  hipMemcpy(result, c, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[columns - 1]);
  hipFree(da);
  hipFree(db);
  hipFree(workspace);
  hipFree(arrived);
  hipFree(c);
}
