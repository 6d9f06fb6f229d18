// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The greatest decides, in whatever order it comes; and a sum of small whole numbers is exact in any order.
// run: --neighbor --size 32 --schedules 3
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float greatest, sum;
  if (threadIdx.x == 0) greatest = sum = 0.0f;
  __syncthreads();
  if (i < size) atomicMax(&greatest, input[i]);
  if (i < size) atomicAdd(&sum, input[i]);
  __syncthreads();
  if (i < size) output[i] = greatest + sum;
}
