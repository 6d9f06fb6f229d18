// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks' numbers by the order of their coming are taken for their places.
// run: --neighbor --size 512 --schedules 3
// finds: schedule_dependence
// lane: 0 0
__device__ int tickets;

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ int ticket;
  if (threadIdx.x == 0) ticket = atomicAdd(&tickets, 1);
  __syncthreads();
  if (i < size) output[i] = ticket;  // first
}
