// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An atomic beside a plain write.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(&counter, 5);
  if (threadIdx.x != 0) atomicAdd(&counter, 1);
  __syncthreads();
  if (i < size) output[i] = counter;
}
