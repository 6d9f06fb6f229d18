// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program waits for the launch, and looks at the result of neither.
// run: program
// finds: invalid_launch
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
  constexpr int threads = 1280;
  int* out;
  hipMallocManaged(&out, threads * sizeof(int));
  for (int i = 0; i < threads; ++i) out[i] = 0;
  fill<<<1, threads>>>(out);  // first
  hipDeviceSynchronize();
  std::printf("%d\n", out[0]);
  hipFree(out);
}
