// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An atomic beside a plain write.
// run: --neighbor --size 32
// finds: data_race
// lane: 1 1
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  if (threadIdx.x == 0) counter = 5;             // second
  if (threadIdx.x != 0) atomicAdd(&counter, 1);  // first
  __syncthreads();
  if (i < size) output[i] = counter;
}
