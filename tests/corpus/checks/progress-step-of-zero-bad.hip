// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of a very large grid are counted in 32 bits: the loop's step wraps to 0.
// modelled on: https://github.com/sonots/cumo/pull/240
// run: --neighbor --size 20 --timeout 0.3
// finds: no_progress
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned blocks = 1u << 27;
  const unsigned step = blockDim.x * blocks;
  for (unsigned long long n = i; n < static_cast<unsigned>(size); n += step) output[n] = 2.0f * input[n];  // first
}
// no repair: which step is meant is for the author to say
