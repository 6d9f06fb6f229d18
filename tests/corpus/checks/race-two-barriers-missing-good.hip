// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil in rounds with all of its barriers.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void smooth(float* out, const float* in, int rounds) {
  __shared__ float now[256], next[256];
  const int i = threadIdx.x;
  now[i] = in[i];
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    next[i] = (now[i] + now[(i + 1) % 256]) / 2;
    __syncthreads();
    now[i] = next[i];
    __syncthreads();
  }
  out[i] = now[i];
}

int main() {
  float host[256];
  for (int i = 0; i < 256; ++i) host[i] = static_cast<float>(i);
  float *in, *out;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof host);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  smooth<<<1, 256>>>(out, in, 3);
  hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%g\n", host[0]);
  hipFree(in);
  hipFree(out);
}
