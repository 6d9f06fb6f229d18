// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane clears all sums at once, while the others of its warp set theirs.
// run: --neighbor --size 64
// finds: data_race
// lane: 3 3
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float sums[128];
  sums[threadIdx.x] = i < size ? input[i] + 1 : 0.0f;  // second
  if (threadIdx.x == 3) memset(sums, 0, sizeof sums);  // first
  __syncthreads();
  if (i < size) output[i] = sums[threadIdx.x];
}
