// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lower half of a warp adds up its values by a mask of all lanes, of which the others do not come.
// run: program
// finds: diverged_collective
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void halves(const int* in, int* out) {
  const int lane = threadIdx.x % warpSize;
  int sum = in[threadIdx.x];
  if (lane < 16) {
    for (int d = 8; d > 0; d /= 2) sum += __shfl_xor_sync(~0ull, sum, d, 16);  // first
    if (lane == 0) out[threadIdx.x / warpSize] = sum;
  } else {
    out[2 + threadIdx.x] = sum;
  }
}

int main() {
  int host[64], result[66] = {}, *in, *out;
  for (int i = 0; i < 64; ++i) host[i] = i;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof result);
  halves<<<1, 64>>>(in, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(out);
}
