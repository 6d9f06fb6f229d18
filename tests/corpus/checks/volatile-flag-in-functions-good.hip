// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block polls a flag by a function of a library and takes what the other block has written, with fences.
// run: --neighbor --size 128
__device__ float handed[64];
__device__ int is_there;

template <class T>
__device__ T load(T* p) {
  return atomicAdd(p, 0);
}

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x == 0) {
    handed[threadIdx.x] = input[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&is_there, 1);
  } else if (blockIdx.x == 1) {
    while (load(&is_there) == 0) continue;
    __threadfence();
    output[i] = handed[threadIdx.x];
  }
  if (blockIdx.x != 1) output[i] = 0;
}
