// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cell has room for four points, and an atomic decides which of them come in time.
// modelled on: https://github.com/tier4/AWML/pull/212
// run: --neighbor --size 32 --schedules 5
// finds: schedule_dependence
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int points, sum;
  if (threadIdx.x == 0) points = sum = 0;
  __syncthreads();
  const bool is_kept = i < size && atomicAdd(&points, 1) < 4;
  if (is_kept) atomicAdd(&sum, static_cast<int>(input[i]));
  __syncthreads();
  if (i < size) output[i] = static_cast<float>(sum);  // first
}
