// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gain that the program has cleared makes all products 0, of which two lanes write each to one place.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void amplify(const int* in, const int* gain, int* out) {
  const int i = threadIdx.x;
  out[i] = in[i] * *gain;
}

int main() {
  int host[64], *in, *gain, *out;
  for (int i = 0; i < 64; ++i) host[i] = i + 5;
  hipMalloc(&in, sizeof host);
  hipMalloc(&gain, sizeof(int));
  hipMalloc(&out, sizeof host);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(gain, 0, sizeof(int));
  amplify<<<1, 64>>>(in, gain, out);
  hipMemcpy(host, out, 4, hipMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  hipFree(in);
  hipFree(gain);
  hipFree(out);
}
