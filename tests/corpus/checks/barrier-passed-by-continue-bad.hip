// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread whose data is not valid goes on to the next round, past the barriers of this one.
// modelled on: https://github.com/1bit-MONSTER/1bit-MONSTER/issues/1262
// run: --neighbor --size 20
// warns: diverged_barrier
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float shared[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  float sum = 0;
  for (int round = 0; round < 2; ++round) {
    const bool is_valid = threadIdx.x % 4 != 3;
    if (!is_valid) continue;
    shared[threadIdx.x] = i < size ? input[i] : 0;
    __syncthreads();  // first
    sum += shared[0];
    __syncthreads();
  }
  if (i < size) output[i] = sum;
}
