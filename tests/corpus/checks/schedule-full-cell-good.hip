// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cell has room for four points: those with the lowest numbers.
// modelled on: https://github.com/tier4/AWML/pull/212
// run: --neighbor --size 32 --schedules 5
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const unsigned long long points = __ballot(i < size);
  const bool is_kept = i < size && __popcll(points & ((1ull << threadIdx.x) - 1)) < 4;
  if (is_kept) atomicAdd(&sum, static_cast<int>(input[i]));
  __syncthreads();
  if (i < size) output[i] = static_cast<float>(sum);
}
