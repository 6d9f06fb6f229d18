// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane reads what the next one has yet to write: one finding, and none of memory that nobody has written.
// run: --neighbor --size 32
// finds: data_race
// lane: 1 1
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float tile[65];
  if (threadIdx.x == 0) tile[warpSize] = 0.0f;
  tile[threadIdx.x] = input[i < size ? i : 0];  // first
  const float next = tile[threadIdx.x + 1];     // second
  if (i < size) output[i] = i + 1 < size ? next - input[i] : 0.0f;
}
