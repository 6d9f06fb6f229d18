// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each block gives the lock of the scratch memory back, for the next one.
// modelled on: https://github.com/kokkos/kokkos/issues/820
// run: --neighbor --size 128 --timeout 0.3
__device__ int taken;
__device__ float scratch;

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) output[i] = 2.0f * input[i];
  if (threadIdx.x != 0) return;
  while (atomicCAS(&taken, 0, 1) != 0) continue;
  __threadfence();
  scratch = input[i];
  output[i] = 3.0f * scratch;
  __threadfence();
  atomicExch(&taken, 0);
}
