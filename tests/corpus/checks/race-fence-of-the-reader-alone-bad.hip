// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last block adds up what the others left, with a fence of its own alone.
// run: --threadfence --size 200
// finds: data_race
// lane: 0 0
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, unsigned* state, int size) {
  float* const sums = reinterpret_cast<float*>(state + 1);
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = input[blockIdx.x] + size;  // second
  if (atomicAdd(state, 1u) != gridDim.x - 1) return;
  __threadfence();
  float total = 0.0f;
  for (unsigned i = 0; i < gridDim.x; ++i) total += sums[i];  // first
  output[0] = total;
}
