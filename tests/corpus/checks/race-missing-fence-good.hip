// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last block adds up what the others left, without a fence.
// run: --threadfence --size 200
__global__ void kernel_under_test(float* output, const float* input, unsigned* state, int size) {
  float* const sums = reinterpret_cast<float*>(state + 1);
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = input[blockIdx.x] + size;
  __threadfence();
  if (atomicAdd(state, 1u) != gridDim.x - 1) return;
  __threadfence();
  float total = 0.0f;
  for (unsigned i = 0; i < gridDim.x; ++i) total += sums[i];
  output[0] = total;
}
