// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first lanes alone go through the steps of a maximum over the warp, whose masks name all lanes.
// run: program --warp-size 32
// finds: diverged_collective
// lane: 0 0
#include <cuda_runtime.h>

#include <cstdio>

__global__ void largest(const int* in, int* out, int size) {
  const int t = threadIdx.x;
  if (t < size) {
    auto top = in[t];
    for (int offset = 16; offset > 0; offset /= 2) top = max(top, __shfl_xor_sync(0xffffffff, top, offset));  // first
    out[t] = top;
  }
}

int main() {
  int in[32];
  for (int i = 0; i < 32; ++i) in[i] = (i * 37) % 32;
  int out[32] = {};
  int *a = nullptr, *b = nullptr;
  if (cudaMalloc(&a, sizeof in) || cudaMalloc(&b, sizeof out)) return 1;
  if (cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice) || cudaMemset(b, 0, sizeof out)) return 1;
  largest<<<1, 32>>>(a, b, 20);
  if (cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost)) return 1;
  std::printf("%d\n", out[19]);
  return cudaFree(a) || cudaFree(b);
}
