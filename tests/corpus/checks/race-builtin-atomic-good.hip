// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiler's own atomic on a float beside a plain write.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  __syncthreads();
  __atomic_fetch_add(&counter, 1.5f, __ATOMIC_RELAXED);
  __syncthreads();
  if (i < size) output[i] = counter;
}
