// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks take the parts of the output by the order of their coming, and each part is the same whoever does it.
// run: --neighbor --size 512 --schedules 3
__device__ int tickets;

__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ int ticket;
  if (threadIdx.x == 0) ticket = atomicAdd(&tickets, 1);
  __syncthreads();
  const int i = ticket * blockDim.x + threadIdx.x;
  if (i < size) output[i] = 2.0f * input[i];
}
