// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each copy is checked, and not the launch.
// run: program
// finds: unchecked_error
#include <hip/hip_runtime.h>

#include <cstdio>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    if (const hipError_t code = (call)) return std::printf("%s\n", hipGetErrorName(code)); \
  } while (0)

__global__ void twice(int* values) { values[threadIdx.x] *= 2; }

int main() {
  constexpr int count = 32;
  int host[count];
  for (int i = 0; i < count; ++i) host[i] = i;
  int* values;
  CHECK(hipMalloc(&values, sizeof host));
  CHECK(hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice));
  twice<<<0, count>>>(values);  // first
  hipStreamSynchronize(nullptr);
  CHECK(hipMemcpy(host, values, sizeof host, hipMemcpyDeviceToHost));
  std::printf("%d\n", host[count - 1]);
  CHECK(hipFree(values));
}
