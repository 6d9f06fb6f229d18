// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an earlier block left in shared memory.
// run: --neighbor --size 192
// finds: uninitialised_read
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float carried;
  if (blockIdx.x == 0 && threadIdx.x == 0) carried = 1.0f;
  __syncthreads();
  if (i < size) output[i] = carried;  // first
}
