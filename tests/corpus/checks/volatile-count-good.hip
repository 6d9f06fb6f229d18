// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counter that lanes add to by an atomic, and a word that the last one of them sets by an atomic.
// run: --neighbor --size 20
__device__ int count;
__device__ int is_complete;

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (atomicAdd(&count, 1) + 1 == static_cast<int>(blockDim.x * gridDim.x)) atomicExch(&is_complete, 1);
  while (atomicAdd(&is_complete, 0) == 0) continue;
  if (i < size) output[i] = input[i];
}
