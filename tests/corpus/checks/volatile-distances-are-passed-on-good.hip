// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane polls its neighbour's distance by volatile, and passes on one more.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void walk(const int* first, int* distances) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) atomicExch(&distances[0], *first + 1);
  if (i == 0) return;
  for (bool again = true; again;) {
    const int before = atomicAdd(&distances[i - 1], 0);
    if (before > 0) {
      atomicExch(&distances[i], before + 1);
      again = false;
    }
  }
}

int main() {
  int in[64];
  for (int i = 0; i < 64; ++i) in[i] = (i * 37) % 64;
  int out[64] = {};
  int* a = nullptr;
  int* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  walk<<<2, 32>>>(a, b);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[63]));
  return hipFree(a) || hipFree(b);
}
