// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of the columns of a 32 x 32 tile: with 64 lanes half of a warp is the next row's.
// run: program --warp-size both
// finds: warp_size_dependence
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void column_sums(const int* in, int* out) {
  __shared__ int tile[32][33];
  tile[threadIdx.x][threadIdx.y] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  int v = tile[threadIdx.y][threadIdx.x];
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down(v, d);  // first
  if (threadIdx.x == 0) out[threadIdx.y] = v;
}
int main() {
  int in[1024], out[32];
  for (int i = 0; i < 1024; i++) in[i] = i % 32;
  int *a, *b;
  hipMalloc(&a, sizeof in);
  hipMalloc(&b, sizeof out);
  hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice);
  column_sums<<<1, dim3(32, 32)>>>(a, b);
  hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 32; i++) wrong += out[i] != 32 * i;
  printf("%d wrong\n", wrong);
  hipFree(a);
  hipFree(b);
  return wrong != 0;
}
