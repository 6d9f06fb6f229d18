// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane but the first waits for the result of the one before it.
// run: program
// finds: wait_within_warp
// lane: 1 1
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ int ready[32];

__global__ void chain(const int* in, int* out) {
  const int t = threadIdx.x;
  int before = 0;
  if (t > 0) {
    while (atomicAdd(&ready[t - 1], 0) == 0) continue;  // first
    __threadfence();
    before = out[t - 1];
  }
  out[t] = before + in[t];
  __threadfence();
  atomicExch(&ready[t], 1);  // second
}

int main() {
  int in[32];
  for (int i = 0; i < 32; ++i) in[i] = (i * 37) % 32;
  int out[32] = {};
  int* a = nullptr;
  int* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  chain<<<1, 32>>>(a, b);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[31]));
  return hipFree(a) || hipFree(b);
}
