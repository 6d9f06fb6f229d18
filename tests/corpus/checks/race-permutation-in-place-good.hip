// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array that is reversed where it lies.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float values[64];
  values[threadIdx.x] = i < size ? input[i] : 0.0f;
  __syncthreads();
  const float mirrored = values[warpSize - 1 - threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = mirrored;
  __syncthreads();
  if (i < size) output[i] = values[threadIdx.x];
}
