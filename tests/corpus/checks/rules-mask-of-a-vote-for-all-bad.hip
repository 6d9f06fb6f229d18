// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Those that voted yes are the mask of a call that everybody makes.
// modelled on: https://github.com/brucefan1983/CUDA-Programming/pull/51
// run: --neighbor --size 20
// finds: wrong_mask
// lane: 8 8
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < size ? input[i] : 0.0f;
  const bool is_small = i < size && mine < 50.0f;
  const unsigned long long small = __ballot_sync(~0ull, is_small);
  const int all = __all_sync(small, mine < 40.0f);  // first
  if (i < size) output[i] = static_cast<float>(all);
}
