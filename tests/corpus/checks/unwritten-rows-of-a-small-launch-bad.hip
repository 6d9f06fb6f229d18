// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch has fewer threads than the result has elements; the program ends with 1.
// run: program
// finds: uninitialised_read
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void square(int* out) { out[threadIdx.x] = threadIdx.x * threadIdx.x; }

/// Ends with 1 if a result is wrong.
int main() {
  constexpr int count = 96;
  int *out, results[count];
  hipMalloc(&out, sizeof results);
  square<<<1, 64>>>(out);
  hipMemcpy(results, out, sizeof results, hipMemcpyDeviceToHost);  // first
  hipFree(out);
  for (int i = 0; i < count; ++i) {
    if (results[i] != i * i) {
      std::puts("wrong");
      return 1;
    }
  }
  std::puts("right");
}
