// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The middle of a range is half of a sum that does not fit in an int.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int begin = 2000000000, end = begin + i;
  const int middle = begin + (end - begin) / 2;
  output[i] = input[middle < 0 ? 0 : middle - 2000000000];
}
