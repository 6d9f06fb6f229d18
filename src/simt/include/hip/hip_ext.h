// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's additions to HIP: launches between two events, memory and streams with options. An event is recorded before
// the kernel begins, the other when it has ended.
#pragma once

#include <hip/hip_runtime.h>

#define hipExtAnyOrderLaunch 0x01

inline namespace hip_on_cpu {

inline hipError_t hipExtLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                     hipStream_t stream, hipEvent_t begin, hipEvent_t end, int = 0) {
  if (begin != nullptr) {
    if (const hipError_t code = hipEventRecord(begin, stream)) return code;
  }
  if (const hipError_t code = hipLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream)) return code;
  return end != nullptr ? hipEventRecord(end, stream) : hipSuccess;
}

/// The grid is given in threads.
inline hipError_t hipExtModuleLaunchKernel(hipFunction_t function, unsigned threads_x, unsigned threads_y,
                                           unsigned threads_z, unsigned block_x, unsigned block_y, unsigned block_z,
                                           size_t shared_bytes, hipStream_t stream, void** arguments, void** extra,
                                           hipEvent_t begin = nullptr, hipEvent_t end = nullptr, unsigned = 0) {
  if (block_x == 0 || block_y == 0 || block_z == 0) return hipErrorInvalidValue;
  // AMD's runtime makes the last blocks smaller, which no launch can ask for here.
  if (threads_x % block_x != 0 || threads_y % block_y != 0 || threads_z % block_z != 0) return hipErrorInvalidValue;
  if (begin != nullptr) {
    if (const hipError_t code = hipEventRecord(begin, stream)) return code;
  }
  if (const hipError_t code =
          hipModuleLaunchKernel(function, threads_x / block_x, threads_y / block_y, threads_z / block_z, block_x,
                                block_y, block_z, static_cast<unsigned>(shared_bytes), stream, arguments, extra)) {
    return code;
  }
  return end != nullptr ? hipEventRecord(end, stream) : hipSuccess;
}
/// Its older name.
#define hipHccModuleLaunchKernel hipExtModuleLaunchKernel

template <class... _Parameters, class... _Arguments>
void hipExtLaunchKernelGGL(void (*kernel)(_Parameters...), const dim3& grid, const dim3& block, unsigned shared_bytes,
                           hipStream_t stream, hipEvent_t begin, hipEvent_t end, unsigned flags,
                           _Arguments... arguments) {
  static_assert(sizeof...(_Parameters) == sizeof...(_Arguments), "the kernel takes another number of arguments");
  const auto launch = [&](_Parameters... values) {
    void* addresses[] = {static_cast<void*>(&values)..., nullptr};
    static_cast<void>(hipExtLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, addresses, shared_bytes,
                                         stream, begin, end, static_cast<int>(flags)));
  };
  launch(arguments...);
}

}  // namespace hip_on_cpu
