// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mask of a vote is 0: it names nobody.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < size ? input[i] : 0.0f;
  const unsigned long long above = __ballot_sync(~0ull, mine > 0.0f);
  if (i < size) output[i] = __popcll(above);
}
