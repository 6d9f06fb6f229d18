// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier in a loop stands in the branch of those that have an element in this round.
// modelled on: https://github.com/NVIDIA/compute-sanitizer-samples/blob/master/Synccheck/divergent_threads.cu
// run: program
// warns: diverged_barrier
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int threads = 64;
constexpr int rounds = 4;
constexpr int size = threads * rounds - 16;

__global__ void add_up(int* sums, const int* data) {
  __shared__ int partial[threads];
  partial[threadIdx.x] = 0;
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    const int i = threads * round + threadIdx.x;
    if (i < size) {
      partial[threadIdx.x] += data[i];
      __syncthreads();  // first
    }
  }
  sums[threadIdx.x] = partial[threadIdx.x];
}

int main() {
  int *sums, *data;
  hipMalloc(&sums, threads * sizeof(int));
  hipMalloc(&data, size * sizeof(int));
  hipMemset(data, 0, size * sizeof(int));
  add_up<<<1, threads>>>(sums, data);
  int last = 1;
  hipMemcpy(&last, sums + threads - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%d\n", last);
  hipFree(data);
  hipFree(sums);
  return 0;
}
