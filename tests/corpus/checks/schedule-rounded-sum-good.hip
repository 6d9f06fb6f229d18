// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole numbers are added by atomics, which is exact in any order.
// modelled on: https://github.com/turboderp/exllama/issues/153
// run: --neighbor --size 32 --schedules 5
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const int large = threadIdx.x % 4 == 0 ? 1 << 25 : -(1 << 25);
  atomicAdd(&sum, threadIdx.x % 2 == 0 ? large : 1);
  __syncthreads();
  if (i < size) output[i] = input[i] + static_cast<float>(sum);
}
