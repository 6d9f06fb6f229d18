// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A checksum of four lanes by an exclusive or, which all lanes have set.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int part = i;
  const int sum = __shfl(part, 0) ^ __shfl(part, 2) ^ __shfl(part, 8) ^ __shfl(part, 10);
  if (i < size) output[i] = static_cast<float>(sum);
}
