// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes past the end do not come to the shuffle of values whose types are not written down.
// run: program --warp-size 32
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void differences(const int* in, int* out, int size) {
  const int t = threadIdx.x;
  const int mine = t < size ? in[t] * 2 : 0;
  const int next = __shfl_down(mine + 1, 1);
  if (t < size) out[t] = t + 1 < size ? mine - next : mine;
}

int main() {
  int in[64];
  for (int i = 0; i < 64; ++i) in[i] = (i * 37) % 64;
  int out[64] = {};
  int* a = nullptr;
  int* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  differences<<<1, 64>>>(a, b, 20);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[63]));
  return hipFree(a) || hipFree(b);
}
