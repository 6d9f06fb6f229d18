// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only the lanes of two cases come to the shuffle, which reads a lane of another case.
// run: program --warp-size 32
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void modes(const int* in, int* out) {
  const int t = threadIdx.x, mine = in[t];
  int result = 0;
  const int next = __shfl_down(mine, 1);
  switch (t % 4) {
    case 0:
    case 1:
      result = next + 1;
      break;
    case 2: {
      result = mine * 2;
      break;
    }
    default:
      result = mine;
  }
  out[t] = result;
}

int main() {
  int in[64];
  for (int i = 0; i < 64; ++i) in[i] = (i * 37) % 64;
  int out[64] = {};
  int* a = nullptr;
  int* b = nullptr;
  if (hipMalloc(&a, sizeof in) || hipMalloc(&b, sizeof out)) return 1;
  if (hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice) || hipMemset(b, 0, sizeof out)) return 1;
  modes<<<1, 64>>>(a, b);
  if (hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", static_cast<double>(out[63]));
  return hipFree(a) || hipFree(b);
}
