// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// syncwarp where the neighbor may be in another warp.
// run: --barrier-stencil --size 96
// finds: data_race
// lane: 0 0
// other lane: 31 63
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float tile[128];
  tile[threadIdx.x] = 0.0f;
  __syncthreads();
  tile[threadIdx.x] = input[i];  // first
  __syncwarp();
  output[i] = tile[(threadIdx.x + 1) % 96];  // second
}
