// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In ascending order lane 0 is always the first, and the other branch with its mistake is never taken.
// run: --neighbor --size 32 --schedules 3
// finds: out_of_bounds
// lane: 30 60
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ int tickets;
  if (threadIdx.x == 0) tickets = 0;
  __syncthreads();
  const int ticket = atomicAdd(&tickets, 1);
  __syncthreads();
  if (ticket == 0 && threadIdx.x != 0) output[size] = 1.0f;  // first
  if (i < size) output[i] = input[i];
}
