// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host waits for the kernel before it sets the flag that the kernel waits for.
// run: program --timeout 1
// finds: no_progress
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void wait_for_host(int* flag, int* out, int value) {
  while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) == 0) continue;  // first
  out[blockIdx.x] = value;
}

int main() {
  int *flag, *out;
  hipHostMalloc(reinterpret_cast<void**>(&flag), sizeof(int), hipHostMallocCoherent);
  hipHostMalloc(reinterpret_cast<void**>(&out), sizeof(int), hipHostMallocCoherent);
  *flag = out[0] = 0;
  wait_for_host<<<1, 1>>>(flag, out, 7);
  const hipError_t error = hipDeviceSynchronize();
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  std::printf("%d\n", out[0]);
  return hipHostFree(flag) != hipSuccess || hipHostFree(out) != hipSuccess || error != hipSuccess;
}
// no repair: it is the host that has to set the flag
