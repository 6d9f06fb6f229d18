// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nobody sets the sum to 0 before it is added to. An addition of floats is a loop around a compare-and-swap.
// run: --neighbor --size 32
// finds: uninitialised_read
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float sum;
  if (i < size) atomicAdd(&sum, input[i]);  // first
  __syncthreads();
  if (i < size) output[i] = sum;
}
