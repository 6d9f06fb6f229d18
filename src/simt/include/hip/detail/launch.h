// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launching kernels, by HIP's own interface.
//
// Clang makes of `kernel<<<grid, block, shared_bytes, stream>>>(…)` a call of __hipPushCallConfiguration and one of a
// host function of the kernel's name, which takes the configuration back and calls hipLaunchKernel with the addresses
// of the arguments. A launch returns when the kernel has ended.
#pragma once

#include <cstddef>

#include "hip/detail/api_types.h"
#include "hip/detail/dim3.h"
#include "simt/lane.hpp"

inline namespace hip_on_cpu {

/// Launches a kernel given by its address; `arguments` holds the address of each argument, each of the parameter's
/// type. An error is also the thread's last one.
SIMT_API hipError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared_bytes = 0, hipStream_t stream = nullptr);
/// Launches a kernel whose blocks wait for each other. hipErrorCooperativeLaunchTooLarge where the machine
/// cannot keep so many alive at once.
SIMT_API hipError_t hipLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                               unsigned shared_bytes, hipStream_t stream);

template <class... _Parameters>
hipError_t hipLaunchKernel(void (*kernel)(_Parameters...), dim3 grid, dim3 block, void** arguments,
                           size_t shared_bytes = 0, hipStream_t stream = nullptr) {
  return hipLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared_bytes, stream);
}

template <class... _Parameters>
hipError_t hipLaunchCooperativeKernel(void (*kernel)(_Parameters...), dim3 grid, dim3 block, void** arguments,
                                      unsigned shared_bytes, hipStream_t stream) {
  return hipLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared_bytes,
                                    stream);
}

}  // namespace hip_on_cpu

/// Keeps what stands between `<<<` and `>>>` for the launch that follows. Clang calls it by this name.
extern "C" unsigned __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                               hipStream_t stream = nullptr);

#define HIP_KERNEL_NAME(...) __VA_ARGS__
/// hipLaunchKernelGGL(kernel, grid, block, shared bytes, stream, arguments...). A template's arguments with a
/// comma need parentheses or HIP_KERNEL_NAME around the kernel.
#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...) \
  do {                                                                     \
    kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__);    \
  } while (0)
