// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mask of a group of eight is found by the quotient of the thread's number.
// modelled on: https://github.com/kokkos/kokkos/issues/1958
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long group = threadIdx.x / 8;
  float sum = i < size ? input[i] : 0.0f;
  for (int offset = 1; offset < 8; offset *= 2) sum += __shfl_xor_sync(0xffull << group * 8, sum, offset, 8);
  if (i < size) output[i] = sum;
}
