// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile whose edges were forgotten.
// run: --barrier-stencil --size 192
// finds: uninitialised_read
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float tile[98];
  tile[threadIdx.x + 1] = input[i];
  __syncthreads();
  output[i] = tile[threadIdx.x] + tile[threadIdx.x + 2];  // first
}
