// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three quarters of a warp add up what they have, and the other quarter does not come to the shuffles.
// run: program --warp-size 32
// finds: diverged_collective
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void sums(const int* in, int*, int* out) {
  const int lane = threadIdx.x % warpSize;
  int sum = in[threadIdx.x];
  if (lane < warpSize / 4 * 3) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) {
      sum += __shfl_down(sum, offset);  // first
    }
    if (lane == 0) out[threadIdx.x / warpSize] = sum;
  }
}

int main() {
  int input[128], result[4] = {}, *in, *lock, *out;
  for (int i = 0; i < 128; ++i) input[i] = i * 7 % 31;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 1 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 1 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  sums<<<1, 128>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
