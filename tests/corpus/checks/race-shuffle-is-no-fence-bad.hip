// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vote brings the lanes together and orders no memory.
// run: --neighbor --size 64
// finds: data_race
// lane: 0 0
// other lane: 1 1
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float tile[64];
  tile[threadIdx.x] = input[i];  // second
  const int all = __any(i < size);
  const float next = tile[(threadIdx.x + 1) % warpSize];  // first
  if (i < size) output[i] = all ? next : 0.0f;
}
