// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock in shared memory, which the first lane sets.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int lock;
  __shared__ float sum;

  if (threadIdx.x == 0) sum = 0;
  if (threadIdx.x == 0) lock = 0;
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) != 0) continue;
    __threadfence();
    sum += i < size ? input[i] : 0.0f;
    __threadfence();
    atomicExch(&lock, 0);
    done = true;
  }
  __syncthreads();
  if (i < size) output[i] = sum;
}
