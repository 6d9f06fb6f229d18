// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer that is null in one lane.
// run: --neighbor --size 32
// finds: out_of_bounds
// lane: 3 3
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ const float* tables[2];
  if (threadIdx.x < 2) tables[threadIdx.x] = threadIdx.x == 0 ? input : nullptr;
  __syncthreads();
  const float* const table = tables[threadIdx.x == 3];
  if (i < size) output[i] = table[0];  // first
}
