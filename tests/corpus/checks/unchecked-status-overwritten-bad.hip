// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A status is set twice, and looked at once.
// run: program
// finds: unchecked_error
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void fill(int* values, int value) { values[threadIdx.x] = value; }

hipError_t download(int* host, const int* values, int count) {
  return hipMemcpy(host, values, count * sizeof(int), hipMemcpyDeviceToHost);  // first
}

int main() {
  constexpr int count = 32;
  int host[2 * count] = {};
  int* values;
  hipMalloc(&values, count * sizeof(int));
  fill<<<1, count>>>(values, 5);
  hipError_t status = download(host, values, 2 * count);
  status = hipFree(values);
  std::printf("%d %d\n", host[0], static_cast<int>(status));
}
