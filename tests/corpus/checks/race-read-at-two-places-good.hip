// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two lanes read a word in two branches, and behind a barrier a third one writes it.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float words[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  words[threadIdx.x] = i < size ? input[i] : 0;
  __syncthreads();

  float seen = 0;
  if (threadIdx.x == 0) seen = words[0];
  if (threadIdx.x == 1) seen = -words[size - 32];
  __syncthreads();
  if (threadIdx.x == 2) words[0] = 5;
  if (i < size) output[i] = seen;
}
