// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile whose edges were forgotten.
// run: --barrier-stencil --size 192
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float tile[98];
  tile[threadIdx.x + 1] = input[i];
  if (threadIdx.x == 0) tile[0] = tile[97] = 0.0f;
  __syncthreads();
  output[i] = tile[threadIdx.x] + tile[threadIdx.x + 2];
}
