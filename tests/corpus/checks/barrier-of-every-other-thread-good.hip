// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier between a read and a write, outside of the branch of those who do them.
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float shared[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  shared[threadIdx.x] = i < size ? input[i] : 0;
  __syncthreads();
  const float mine = shared[threadIdx.x];
  __syncthreads();
  if (threadIdx.x % 2 == 0) shared[threadIdx.x ^ 1] = mine;
  if (i < size) output[i] = static_cast<float>(threadIdx.x);
}
