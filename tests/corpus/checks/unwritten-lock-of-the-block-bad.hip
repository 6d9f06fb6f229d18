// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock in shared memory that nobody has set: the first lane finds it free here, and on a GPU what was there before.
// run: --neighbor --size 32
// finds: uninitialised_read
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int lock;
  __shared__ float sum;

  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) != 0) continue;  // first
    __threadfence();
    sum += i < size ? input[i] : 0.0f;
    __threadfence();
    atomicExch(&lock, 0);
    done = true;
  }
  __syncthreads();
  if (i < size) output[i] = sum;
}
