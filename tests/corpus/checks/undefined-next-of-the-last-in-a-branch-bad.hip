// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last lane in a branch reads from the next one, which is not there.
// run: program --warp-size 64
// finds: undefined_lane_value
// lane: 39 39
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void differences(const int* in, int*, int* out) {
  const int mine = in[threadIdx.x];
  if (threadIdx.x < 40) {
    const int next = __shfl_down(mine, 1);  // first
    out[threadIdx.x] = next - mine;
  }
}

int main() {
  int input[64], result[64] = {}, *in, *lock, *out;
  for (int i = 0; i < 64; ++i) input[i] = i * 7 % 31;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 1 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 1 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  differences<<<1, 64>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[39]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}
