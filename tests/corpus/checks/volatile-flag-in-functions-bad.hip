// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block polls a volatile flag by functions of a library and takes what the other block has written, with fences.
// run: --neighbor --size 128
// warns: data_race
// lane: 0 0
// other lane: 0 0
__device__ float handed[64];
__device__ int is_there;

template <class T>
__device__ T load_volatile(T* p) {
  const T value = *reinterpret_cast<volatile T*>(p);  // first
  return value;
}
template <class T>
__device__ T load(T* p) {
  return load_volatile(p);
}

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x == 0) {
    handed[threadIdx.x] = input[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) *reinterpret_cast<volatile int*>(&is_there) = 1;  // second
  } else if (blockIdx.x == 1) {
    while (load(&is_there) == 0) continue;
    __threadfence();
    output[i] = handed[threadIdx.x];
  }
  if (blockIdx.x != 1) output[i] = 0;
}
