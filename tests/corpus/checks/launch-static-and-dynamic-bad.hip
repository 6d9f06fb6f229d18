// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of 32 KiB and 24 KiB for the numbers: AMD's devices have that, NVIDIA's give it to those who ask for it.
// run: program --warp-size both
// warns: invalid_launch
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void replace(unsigned* numbers, int count) {  // first
  __shared__ unsigned table[8192];
  extern __shared__ unsigned all[];
  for (unsigned i = threadIdx.x; i < 8192; i += blockDim.x) table[i] = i ^ 4095;
  for (int i = threadIdx.x; i < count; i += blockDim.x) all[i] = numbers[i];
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) numbers[i] = table[all[count - 1 - i] % 8192];
}

int main() {
  constexpr int count = 6144;
  constexpr int bytes = count * sizeof(unsigned);
  unsigned *numbers, last = 1;
  hipMalloc(&numbers, bytes);
  hipMemset(numbers, 0, bytes);
  replace<<<1, 256, bytes>>>(numbers, count);
  hipMemcpy(&last, numbers + count - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%u\n", last);
  hipFree(numbers);
}
