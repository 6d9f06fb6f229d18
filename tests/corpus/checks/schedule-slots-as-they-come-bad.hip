// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is kept is put in the order of its coming, and its place has a meaning later on.
// modelled on: https://github.com/germannp/yalla/issues/10
// run: --neighbor --size 32 --schedules 5
// finds: schedule_dependence
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float kept[8];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (i < size && i % 4 == 1) kept[atomicAdd(&count, 1)] = input[i];
  __syncthreads();
  float sum = 0.0f;
  for (int n = 0; n < count; ++n) sum += static_cast<float>(n + 1) * kept[n];
  if (i < size) output[i] = sum;  // first
}
