// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mask of the call names the lanes that have not found their like, who make it.
// modelled on: https://github.com/llvm/llvm-project/pull/138693
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int key = i < size && input[i] < 20.0f ? 0 : 1;
  int found = -1;
  unsigned long long open = __ballot_sync(~0ull, 1);
  for (int round = 0; open != 0; ++round) {
    if (found < 0) {
      const int wanted = __shfl_sync(open, key, __ffsll(open) - 1);
      if (wanted == key) found = round;
    }
    open = __ballot_sync(~0ull, found < 0);
  }
  if (i < size) output[i] = static_cast<float>(found);
}
