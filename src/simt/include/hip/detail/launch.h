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

struct hipLaunchParams {
  void* func;
  dim3 gridDim;
  dim3 blockDim;
  void** args;
  size_t sharedMem;
  hipStream_t stream;
};

#define hipCooperativeLaunchMultiDeviceNoPreSync 0x01
#define hipCooperativeLaunchMultiDeviceNoPostSync 0x02

enum hipAccessProperty : int {
  hipAccessPropertyNormal = 0,
  hipAccessPropertyStreaming = 1,
  hipAccessPropertyPersisting = 2
};

/// What a cache is to keep: a hint, which has no effect here.
struct hipAccessPolicyWindow {
  void* base_ptr;
  hipAccessProperty hitProp;
  float hitRatio;
  hipAccessProperty missProp;
  size_t num_bytes;
};

enum hipLaunchAttributeID : int {
  hipLaunchAttributeAccessPolicyWindow = 1,
  hipLaunchAttributeCooperative = 2,
  hipLaunchAttributeSynchronizationPolicy = 3,
  hipLaunchAttributePriority = 8
};

/// How the host waits: a hint, which has no effect here.
enum hipSynchronizationPolicy : int {
  hipSynchronizationPolicyAuto = 1,
  hipSynchronizationPolicySpin = 2,
  hipSynchronizationPolicyYield = 3,
  hipSynchronizationPolicyBlockingSync = 4
};

union hipLaunchAttributeValue {
  char pad[64];
  hipAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  hipSynchronizationPolicy syncPolicy;
  int priority;
};

using hipKernelNodeAttrID = hipLaunchAttributeID;
using hipKernelNodeAttrValue = hipLaunchAttributeValue;
constexpr hipKernelNodeAttrID hipKernelNodeAttributeAccessPolicyWindow = hipLaunchAttributeAccessPolicyWindow;
constexpr hipKernelNodeAttrID hipKernelNodeAttributeCooperative = hipLaunchAttributeCooperative;
constexpr hipKernelNodeAttrID hipKernelNodeAttributePriority = hipLaunchAttributePriority;

using hipStreamAttrID = hipLaunchAttributeID;
using hipStreamAttrValue = hipLaunchAttributeValue;
constexpr hipStreamAttrID hipStreamAttributeAccessPolicyWindow = hipLaunchAttributeAccessPolicyWindow;
constexpr hipStreamAttrID hipStreamAttributeSynchronizationPolicy = hipLaunchAttributeSynchronizationPolicy;
constexpr hipStreamAttrID hipStreamAttributePriority = hipLaunchAttributePriority;

struct hipLaunchAttribute {
  hipLaunchAttributeID id;
  union {
    hipLaunchAttributeValue val;
    hipLaunchAttributeValue value;
  };
};

struct hipLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  hipStream_t stream;
  hipLaunchAttribute* attrs;
  unsigned numAttrs;
};

inline namespace hip_on_cpu {

/// Launches a kernel given by its address; `arguments` holds the address of each argument, each of the parameter's
/// type. An error is also the thread's last one.
SIMT_API hipError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared_bytes = 0, hipStream_t stream = nullptr);
/// Launches a kernel whose blocks wait for each other. hipErrorCooperativeLaunchTooLarge where the machine
/// cannot keep so many alive at once.
SIMT_API hipError_t hipLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                               unsigned shared_bytes, hipStream_t stream);

/// Of a launch's attributes, only the one that makes it cooperative.
SIMT_API hipError_t hipLaunchKernelExC(const hipLaunchConfig_t* config, const void* kernel, void** arguments);
/// On one device; kernels on several would have to wait for each other: hipErrorNotSupported.
SIMT_API hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* launches, int count, unsigned flags);
SIMT_API hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* launches, int count, unsigned flags);

/// Hints, which are kept and have no effect: what a cache is to keep, and how the host waits. A priority is 0.
SIMT_API hipError_t hipStreamSetAttribute(hipStream_t stream, hipStreamAttrID attribute,
                                          const hipStreamAttrValue* value);
SIMT_API hipError_t hipStreamGetAttribute(hipStream_t stream, hipStreamAttrID attribute, hipStreamAttrValue* value);

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
// hipLaunchKernelGGL(kernel, grid, block, shared bytes, stream, arguments...). A template's arguments with a comma need
// parentheses or HIP_KERNEL_NAME around the kernel.
#ifdef HIP_TEMPLATE_KERNEL_LAUNCH
/// As a function, it takes braces for the grid and the block, too.
template <class... _Parameters, class... _Arguments>
void hipLaunchKernelGGL(void (*kernel)(_Parameters...), const dim3& grid, const dim3& block, unsigned shared_bytes,
                        hipStream_t stream, _Arguments... arguments) {
  kernel<<<grid, block, shared_bytes, stream>>>(arguments...);
}
#else
#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...) \
  do {                                                                     \
    kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__);    \
  } while (0)
#endif
