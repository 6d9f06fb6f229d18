// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first lane decides by a variable that it has not set whether it counts. Nobody sees it in the output.
// run: --neighbor --size 20
// finds: undefined_lane_value
// lane: 0 0
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int large;
  if (threadIdx.x == 0) large = 0;
  __syncthreads();

  float before;  // second
  for (int k = 0; k < i && k < size; ++k) before = input[k];
  if (before > 3.0f) atomicAdd(&large, 1);  // first
  if (i < size) output[i] = input[i];
}
