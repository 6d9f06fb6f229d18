// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places in shared memory are counted down from the lowest one.
// modelled on: https://github.com/mc-imperial/gpuverify (testsuite/OpenCL/array_bounds_tests/simple_array_fail_lower)
// run: --neighbor --size 64
// finds: out_of_bounds
// lane: 1 1
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float reversed[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x;

  reversed[lane] = 0.0f;
  __syncthreads();
  reversed[0 - lane] = i < size ? input[i] : 0.0f;  // first
  __syncthreads();
  if (i < size) output[i] = reversed[lane];
}
