// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's library, CUB, at the tasks of some puzzles: --bench measures it beside their kernels. src/run/benchmark.cpp
// says which puzzles. Elsewhere there is nothing here.
#include "warpz/kernel.hpp"

#ifdef __HIP_PLATFORM_NVIDIA__

#include <cub/cub.cuh>

__global__ void library_prefix_sum(float* output, const float* input, int size) {
  __shared__ cub::WarpScan<float>::TempStorage room;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  float sum = i < size ? input[i] : 0.0f;
  cub::WarpScan<float>(room).InclusiveSum(sum, sum);
  if (i < size) output[i] = sum;
}

WARPZ_KERNEL_AS("library_prefix_sum", library_prefix_sum);

namespace warpz_library {

/// Calls the library twice for each size: to learn how much memory it needs, which then is kept, and to work.
template <class Call>
hipError_t call_with_memory(int size, const Call& call) {
  static void* memory = nullptr;
  static std::size_t bytes = 0;
  static int known_size = -1;
  cudaError_t code = cudaSuccess;
  if (size != known_size) {
    cudaFree(memory);
    known_size = -1;
    code = call(nullptr, bytes);
    if (code == cudaSuccess) code = cudaMalloc(&memory, bytes);
    if (code == cudaSuccess) known_size = size;
  }
  if (code == cudaSuccess) code = call(memory, bytes);
  return hipCUDAErrorTohipError(code);
}

/// As the puzzles' kernels, of which the state is the warpz library's own.
void arguments_of_kernel(float*, const float*, unsigned*, int) {}

template <class Operation>
hipError_t launch(dim3, dim3, unsigned, hipStream_t stream, void** addresses) {
  hipError_t result = hipSuccess;
  warpz::detail::call_with(arguments_of_kernel, addresses, [&](float* output, const float* input, unsigned*, int size) {
    result = call_with_memory(size, [&](void* memory, std::size_t& bytes) {
      return Operation::call(memory, bytes, input, output, size, stream);
    });
  });
  return result;
}

struct reduce {
  static cudaError_t call(void* memory, std::size_t& bytes, const float* in, float* out, int size, cudaStream_t on) {
    return cub::DeviceReduce::Sum(memory, bytes, in, out, size, on);
  }
};
struct scan {
  static cudaError_t call(void* memory, std::size_t& bytes, const float* in, float* out, int size, cudaStream_t on) {
    return cub::DeviceScan::InclusiveSum(memory, bytes, in, out, size, on);
  }
};
struct sort {
  static cudaError_t call(void* memory, std::size_t& bytes, const float* in, float* out, int size, cudaStream_t on) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, size, 0, 32, on);
  }
};

// They stand or fall with the code of the kernel above.
const warpz::detail::kernel_registration operations[] = {
    {"library_device_reduce", arguments_of_kernel, launch<reduce>, warpz_code_library_prefix_sum},
    {"library_device_scan", arguments_of_kernel, launch<scan>, warpz_code_library_prefix_sum},
    {"library_device_sort", arguments_of_kernel, launch<sort>, warpz_code_library_prefix_sum}};

}  // namespace warpz_library

#endif
