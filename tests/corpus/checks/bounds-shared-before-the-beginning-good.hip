// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places in shared memory are counted down from the block's last one.
// modelled on: https://github.com/mc-imperial/gpuverify (testsuite/OpenCL/array_bounds_tests/simple_array_fail_lower)
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float reversed[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x;

  reversed[lane] = 0.0f;
  __syncthreads();
  reversed[blockDim.x - 1 - lane] = i < size ? input[i] : 0.0f;
  __syncthreads();
  if (i < size) output[i] = reversed[lane];
}
