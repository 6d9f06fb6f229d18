// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that have found their like leave a call out, and its mask names them all the same.
// modelled on: https://github.com/llvm/llvm-project/pull/138693
// run: --neighbor --size 20
// finds: diverged_collective
// lane: 0 0
// other lane: 5 5
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int key = i < size && input[i] < 20.0f ? 0 : 1;
  int found = -1;
  unsigned long long open = __ballot_sync(~0ull, 1);
  for (int round = 0; open != 0; ++round) {
    if (found < 0) {
      const int wanted = __shfl_sync(~0ull, key, __ffsll(open) - 1);  // second
      if (wanted == key) found = round;
    }
    open = __ballot_sync(~0ull, found < 0);  // first
  }
  if (i < size) output[i] = static_cast<float>(found);
}
