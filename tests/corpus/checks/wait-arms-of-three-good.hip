// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The box is filled before the arm that looks into it.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void hand_over(const int* in, int* box, int* out) {
  const int lane = threadIdx.x % warpSize;
  if (lane == 11) {
    box[1] = in[lane] + 1;
    __threadfence();
    atomicExch(&box[0], 1);
  }
  __syncwarp(~0ull);
  if (lane < 4) {
    if (lane == 0) out[0] = in[lane];
  } else if (lane < 8) {
    while (atomicAdd(&box[0], 0) != 1) continue;
    __threadfence();
    if (lane == 4) out[1] = box[1];
  } else if (lane != 11) {
    box[lane] = lane;
  }
}

int main() {
  int input[64], result[2] = {}, *in, *lock, *out;
  for (int i = 0; i < 64; ++i) input[i] = i * 7 % 31;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 64 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 64 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  hand_over<<<1, 32>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
