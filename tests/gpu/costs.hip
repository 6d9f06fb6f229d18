// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of one warp, for --counters and for NVIDIA's profiler (tests/gpu/profile_costs.py).
// Lane i of the first ACTIVE ones accesses element (i * STRIDE + OFFSET) ^ FLIPPED: these are the arguments.
#ifdef __NVCC__
#include <cuda_runtime.h>
#define hipFree cudaFree
#define hipMalloc cudaMalloc
#define hipMemset cudaMemset
#define hipDeviceSynchronize cudaDeviceSynchronize
#else
#include <hip/hip_runtime.h>
#endif
#include <cstdlib>

constexpr int elements = 1100;
struct pattern {
  int stride, offset, flipped, active;
};
__device__ int index(pattern by) { return (int(threadIdx.x) * by.stride + by.offset) ^ by.flipped; }

// Each kernel has one access of the kind and to the memory that its name tells.
#define KERNELS(T, bytes)                                                                         \
  __global__ void shared_load##bytes(T* out, const T* in, pattern by) {                           \
    __shared__ T memory[elements];                                                                \
    for (int i = threadIdx.x; i < elements; i += 32) memory[i] = in[i];                           \
    __syncthreads();                                                                              \
    if (int(threadIdx.x) < by.active) out[threadIdx.x] = memory[index(by)];                       \
  }                                                                                               \
  __global__ void shared_store##bytes(T* out, const T* in, pattern by) {                          \
    __shared__ T memory[elements];                                                                \
    const T value = in[threadIdx.x];                                                              \
    if (int(threadIdx.x) < by.active) memory[index(by)] = value;                                  \
    __syncthreads();                                                                              \
    if (int(threadIdx.x) < by.active) out[threadIdx.x] = memory[index(by)];                       \
  }                                                                                               \
  __global__ void global_load##bytes(T* out, const T* in, pattern by) {                           \
    if (int(threadIdx.x) < by.active) out[threadIdx.x] = in[index(by)];                           \
  }                                                                                               \
  __global__ void global_store##bytes(T* out, const T* in, pattern by) {                          \
    const T value = in[threadIdx.x];                                                              \
    if (int(threadIdx.x) < by.active) out[index(by)] = value;                                     \
  }                                                                                               \
  void launch##bytes(pattern by) {                                                                \
    T *out, *in;                                                                                  \
    if (hipMalloc(&out, elements * bytes) != 0 || hipMalloc(&in, elements * bytes) != 0) exit(1); \
    if (hipMemset(in, 0, elements * bytes) != 0) exit(1);                                         \
    shared_load##bytes<<<1, 32>>>(out, in, by);                                                   \
    shared_store##bytes<<<1, 32>>>(out, in, by);                                                  \
    global_load##bytes<<<1, 32>>>(out, in, by);                                                   \
    global_store##bytes<<<1, 32>>>(out, in, by);                                                  \
    if (hipFree(out) != 0 || hipFree(in) != 0) exit(1);                                           \
  }
KERNELS(char, 1)
KERNELS(short, 2)
KERNELS(float, 4)
KERNELS(double, 8)
KERNELS(float4, 16)

int main(int, char** words) {
  const pattern by{atoi(words[1]), atoi(words[2]), atoi(words[3]), atoi(words[4])};
  launch1(by);
  launch2(by);
  launch4(by);
  launch8(by);
  launch16(by);
  return hipDeviceSynchronize() != 0;
}
