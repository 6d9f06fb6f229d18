// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel waits for a flag that the host sets while it runs.
// run: program --timeout 1
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void wait_for_host(int* flag, int* out, int value) {
  while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) == 0) continue;
  out[blockIdx.x] = value;
}

int main() {
  int *flag, *out;
  hipHostMalloc(reinterpret_cast<void**>(&flag), sizeof(int), hipHostMallocCoherent);
  hipHostMalloc(reinterpret_cast<void**>(&out), 2 * sizeof(int), hipHostMallocCoherent);
  *flag = out[0] = out[1] = 0;
  wait_for_host<<<2, 1>>>(flag, out, 7);
  const bool runs = hipStreamQuery(nullptr) == hipErrorNotReady;
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  const hipError_t error = hipDeviceSynchronize();
  const int sum = out[0] + out[1];
  std::printf("%d %d\n", runs, sum);
  return hipHostFree(flag) != hipSuccess || hipHostFree(out) != hipSuccess || error != hipSuccess || !runs || sum != 14;
}
