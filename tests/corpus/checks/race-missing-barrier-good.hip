// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// syncwarp where the neighbor may be in another warp.
// run: --barrier-stencil --size 96
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float tile[128];
  tile[threadIdx.x] = 0.0f;
  __syncthreads();
  tile[threadIdx.x] = input[i];
  __syncthreads();
  output[i] = tile[(threadIdx.x + 1) % 96];
}
