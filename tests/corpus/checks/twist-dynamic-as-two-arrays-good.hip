// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shared array whose parts are of different types.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float both[128];
  int* const numbers = reinterpret_cast<int*>(both + 64);
  both[threadIdx.x] = i < size ? input[i] : 0.0f;
  numbers[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  const int other = numbers[warpSize - 1 - static_cast<int>(threadIdx.x)];
  if (i < size) output[i] = both[other];
}
