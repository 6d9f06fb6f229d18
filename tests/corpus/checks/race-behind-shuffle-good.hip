// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane writes what all lanes of its warp, itself too, have read before a shuffle and a syncwarp, which orders memory.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float words[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  words[threadIdx.x] = i < size ? input[i] : 0;
  __syncthreads();

  const float seen = words[0];
  const float next = __shfl_down(seen, 1);
  __syncwarp();
  if (threadIdx.x == 0) words[0] = next;
  if (i < size) output[i] = seen;
}
