// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One element of a shared array that nobody writes.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float tile[64];
  tile[threadIdx.x] = 1.0f;
  __syncthreads();
  if (i < size) output[i] = tile[threadIdx.x];
}
