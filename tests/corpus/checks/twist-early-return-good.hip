// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole warps return before a barrier of the others.
// run: --barrier-stencil --size 100
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float tile[64];
  if (threadIdx.x >= static_cast<unsigned>(warpSize)) return;
  tile[threadIdx.x] = i < size ? input[i] : 0.0f;
  __syncthreads();
  if (i < size) output[i] = tile[warpSize - 1 - static_cast<int>(threadIdx.x)];
}
