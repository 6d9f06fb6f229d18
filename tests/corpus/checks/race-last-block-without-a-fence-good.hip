// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last block to arrive reads what the others have left, behind a barrier but no fence of its own.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void total(const int* input, int* sums, unsigned* arrived, int* result) {
  __shared__ int sum;
  __shared__ bool is_last;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, input[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  if (threadIdx.x < gridDim.x) atomicAdd(result, sums[threadIdx.x]);
}

int main() {
  int input[256], result = 0;
  for (int i = 0; i < 256; i++) input[i] = i;
  int *numbers, *sums, *all;
  unsigned* arrived;
  hipMalloc(&numbers, sizeof input);
  hipMalloc(&sums, 4 * sizeof(int));
  hipMalloc(&all, sizeof(int));
  hipMalloc(&arrived, sizeof(unsigned));
  hipMemcpy(numbers, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(arrived, 0, sizeof(unsigned));
  hipMemset(all, 0, sizeof(int));
  total<<<4, 64>>>(numbers, sums, arrived, all);
  hipMemcpy(&result, all, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", result);
  hipFree(numbers);
  hipFree(sums);
  hipFree(all);
  hipFree(arrived);
}
