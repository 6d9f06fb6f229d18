// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A step of a sum in place: the lane before reads what this one changes.
// run: --neighbor --size 32
// finds: data_race
// lane: 1 1
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float sums[65];
  if (threadIdx.x == 0) sums[warpSize] = 0.0f;
  sums[threadIdx.x] = i < size ? input[i] : 0.0f;
  __syncthreads();
  sums[threadIdx.x] += sums[threadIdx.x + 1];  // first second
  if (i < size) output[i] = sums[threadIdx.x];
}
