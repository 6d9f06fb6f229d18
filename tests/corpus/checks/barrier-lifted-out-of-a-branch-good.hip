// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both barriers stand where all threads come.
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float shared[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (threadIdx.x < 10) shared[threadIdx.x] = input[i];
  __syncthreads();
  if (threadIdx.x < 10) shared[threadIdx.x] += 1;
  __syncthreads();
  if (i < size) output[i] = shared[0];
}
