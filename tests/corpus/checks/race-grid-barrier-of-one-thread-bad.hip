// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier of all blocks, by hand: its thread does not wait for the others of its block.
// run: program
// finds: data_race
// lane: 0 0
// other lane: 31 63
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ void grid_barrier(unsigned* count, unsigned blocks) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < blocks) continue;
    __threadfence();
  }
  __syncthreads();
}

__global__ void reverse(const int* in, int* part, int* out, unsigned* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  part[i] = in[i] * 3;  // second
  grid_barrier(count, gridDim.x);
  out[i] = part[n - 1 - i];  // first
}

int main() {
  int host[256], result[256] = {}, *in, *part, *out;
  unsigned* count;
  for (int i = 0; i < 256; ++i) host[i] = i * 7 % 31;
  hipMalloc(&in, sizeof host);
  hipMalloc(&part, sizeof host);
  hipMalloc(&out, sizeof result);
  hipMalloc(&count, sizeof(unsigned));
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof result);
  hipMemset(count, 0, sizeof(unsigned));
  reverse<<<2, 128>>>(in, part, out, count);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d %d\n", result[0], result[100], result[255]);
  hipFree(in);
  hipFree(part);
  hipFree(out);
  hipFree(count);
}
