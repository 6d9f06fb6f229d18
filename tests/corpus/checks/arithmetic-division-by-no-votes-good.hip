// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A share is divided by the number of votes, and nobody has voted.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < size ? input[i] : 0.0f;
  const int above = static_cast<int>(__popcll(__ballot(mine > 1000000.0f)));
  const int share = above == 0 ? 0 : static_cast<int>(threadIdx.x) / above;
  if (i < size) output[i] = mine + static_cast<float>(share);
}
