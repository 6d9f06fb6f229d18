// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A struct that is copied while another lane writes it.
// run: --neighbor --size 32
// finds: data_race
// lane: 1 1
// other lane: 0 0

struct record {
  char first;
  float rest[5];
};

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ record all[2];
  if (threadIdx.x < 2) all[threadIdx.x] = record{};
  __syncthreads();
  if (threadIdx.x == 0) all[0] = record{1, {2, 3, 4, 5, 6}};  // second
  if (threadIdx.x == 1) all[1] = all[0];                      // first
  __syncthreads();
  if (i < size) output[i] = all[threadIdx.x % 2].rest[4] + all[0].first;
}
