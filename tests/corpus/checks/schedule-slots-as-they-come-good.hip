// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of what is kept is the number of lanes before it that keep something.
// modelled on: https://github.com/germannp/yalla/issues/10
// run: --neighbor --size 32 --schedules 5
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float kept[8];
  const bool keeps = i < size && i % 4 == 1;
  const unsigned long long keeping = __ballot(keeps);
  if (keeps) kept[__popcll(keeping & ((1ull << threadIdx.x) - 1))] = input[i];
  __syncthreads();
  float sum = 0.0f;
  for (int n = 0; n < static_cast<int>(__popcll(keeping)); ++n) sum += static_cast<float>(n + 1) * kept[n];
  if (i < size) output[i] = sum;
}
