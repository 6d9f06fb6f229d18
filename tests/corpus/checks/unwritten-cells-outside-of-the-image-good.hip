// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of a tile that lie outside of the image are computed with, but must not get into a result.
// run: --neighbor --size 40
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float tile[64];
  const int t = threadIdx.x;
  if (i < size - 1) tile[t] = input[i];
  __syncthreads();
  const float mine = tile[t];
  tile[t] = mine * 0.5f;
  __syncthreads();
  if (i < size - 1) output[i] = tile[t];
}
