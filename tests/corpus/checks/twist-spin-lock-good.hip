// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that blocks take in turn protects plain memory.
// run: --threadfence --size 300
__global__ void kernel_under_test(float* output, const float* input, unsigned* state, int size) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&state[0], 0u, 1u) != 0) {
  }
  __threadfence();
  state[1] = state[1] + 1 + (input[0] > size);
  if (state[1] == gridDim.x) output[0] = 1.0f;
  __threadfence();
  atomicExch(&state[0], 0u);
}
