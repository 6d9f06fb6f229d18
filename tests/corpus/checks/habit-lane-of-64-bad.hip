// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane's number is the rest by 64, beside a ballot.
// run: program --warp-size 32
// warns: warp_size_assumption
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count(const int* input, int* output) {
  const int lane = threadIdx.x % 64;  // first
  const unsigned long long positive = __ballot(input[threadIdx.x] > 0);
  if (lane == 0) atomicAdd(output, __popcll(positive));
}

int main() {
  int host, *input, *output;
  hipMalloc(&input, 128 * sizeof(int));
  hipMalloc(&output, sizeof(int));
  hipMemset(input, 0, 128 * sizeof(int));
  hipMemset(output, 0, sizeof(int));
  count<<<1, 128>>>(input, output);
  hipMemcpy(&host, output, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(input);
  hipFree(output);
}
