// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes poll bytes of others by a pointer that is constant itself, until theirs is the greatest of those left.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void settle(const int* order, unsigned char* const state) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, size = gridDim.x * blockDim.x;
  const int next = (i + 1) % size;
  for (bool again = true; again;) {
    const bool is_set = __hip_atomic_load(&state[next], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) != 0;
    if (order[i] > order[next] || is_set) {
      __hip_atomic_store(&state[i], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
      again = false;
    }
  }
}

int main() {
  int in[64];
  for (int i = 0; i < 64; ++i) in[i] = (i * 37) % 64;
  unsigned char out[64] = {};
  int* a = nullptr;
  unsigned char* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  settle<<<2, 32>>>(a, b);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[63]));
  return hipFree(a) || hipFree(b);
}
