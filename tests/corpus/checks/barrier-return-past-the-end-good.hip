// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads without an element come to the barrier, too.
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float shared[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_active = i < size;

  shared[threadIdx.x] = is_active ? input[i] : 0;
  __syncthreads();
  if (is_active) output[i] = shared[threadIdx.x];
}
