// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launching a kernel: its call, with its arguments, becomes an object that each lane runs.
//
// A launch returns when the kernel has ended. `kernel<<<grid, block>>>(…)` is not C++: in a user program warpz replaces
// it by launch_configured() before compiling (src/source/launches.hpp).
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "hip/detail/api_types.h"
#include "hip/detail/dim3.h"
#include "simt/lane.hpp"

// Excludes the variables of a launch from those that the compiler marks as unset (docs/checks.md).
#ifdef __clang__
#define SIMT_FULLY_SET __attribute__((uninitialized))
#else
#define SIMT_FULLY_SET
#endif

namespace simt {

struct launch_shape {
  const char* name;  ///< of the kernel, for findings
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  hipStream_t stream;
  bool cooperative;  ///< all blocks have to be alive at once
};

/// Calls `entry(call)` in every lane, for each of its blocks, or once if it calls run_lane. An error is also the
/// thread's last one.
SIMT_API hipError_t launch_lanes(const launch_shape& shape, void (*entry)(const void*), const void* call);

#ifdef SIMT_INSTRUMENTED
/// The kernel is called anew for each block, as unset variables (src/instrument/unset_values.cpp) have one value for
/// each call of it.
template <class _Call>
void run_call(const void* call) {
  (*static_cast<const _Call*>(call))();
}
#else
/// The kernel is inlined, as by compilers for GPUs: a call would have to save the caller's registers on the stack of
/// each lane.
template <class _Call>
__attribute__((flatten)) void run_call(const void* call) {
  run_lane(*static_cast<const _Call*>(call));
}
#endif

template <class _Call>
hipError_t launch_call(const launch_shape& shape, const _Call& call) {
  return launch_lanes(shape, run_call<_Call>, &call);
}

/// A literal 0 or NULL, which a kernel may take as a pointer.
template <class _Integer>
struct null_or_integer {
  _Integer value;
  operator _Integer() const { return value; }
  template <class _Tp>
  operator _Tp*() const {
    return nullptr;
  }
};

template <class _Tp>
using passed = std::conditional_t<std::is_same_v<_Tp, int> || std::is_same_v<_Tp, long>, null_or_integer<_Tp>, _Tp>;

/// Launches `kernel(arguments...)`. The arguments are copied once; each lane converts them as a call does.
template <class _Kernel, class... _Arguments>
void launch_kernel(const char* name, const _Kernel& kernel, dim3 grid, dim3 block, std::size_t shared_bytes,
                   hipStream_t stream, _Arguments... arguments) {
  SIMT_FULLY_SET const launch_shape shape{name, grid, block, shared_bytes, stream, false};
  if constexpr (!std::is_invocable_v<const _Kernel&, const _Arguments&...> &&
                std::is_invocable_v<const _Kernel&, const passed<_Arguments>&...>) {
    launch_call(shape, [&kernel, arguments...] { kernel(passed<_Arguments>{arguments}...); });
  } else {
    launch_call(shape, [&kernel, arguments...] { kernel(arguments...); });
  }
}

/// What stands between `<<<` and `>>>`.
struct launch_configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  hipStream_t stream;
};

inline launch_configuration configuration(dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                                          hipStream_t stream = nullptr) {
  return {grid, block, shared_bytes, stream};
}

/// Launches `kernel(arguments...)` as configured.
template <class _Kernel, class... _Arguments>
void launch_configured(const char* name, const _Kernel& kernel, const launch_configuration& config,
                       const _Arguments&... arguments) {
  launch_kernel<_Kernel, std::decay_t<const _Arguments&>...>(name, kernel, config.grid, config.block,
                                                             config.shared_bytes, config.stream, arguments...);
}

/// Launches a kernel whose arguments are given by their addresses.
template <class... _Parameters, std::size_t... _Place>
hipError_t launch_by_addresses(const launch_shape& shape, void (*kernel)(_Parameters...), void** arguments,
                               std::index_sequence<_Place...>) {
  return launch_call(shape, [kernel, arguments] {
    static_cast<void>(arguments);
    kernel(*static_cast<std::add_const_t<_Parameters>*>(arguments[_Place])...);
  });
}

/// The name, in findings, of a kernel that was launched by a pointer to it: "in kernel given by its address".
inline constexpr char unknown_kernel[] = "given by its address";

/// The result of a launch without a kernel or without its arguments.
SIMT_API hipError_t invalid_launch(hipError_t error);

}  // namespace simt

inline namespace hip_on_cpu {

/// Launches a kernel given by its function pointer; `arguments` holds the address of each argument.
template <class... _Parameters>
hipError_t hipLaunchKernel(void (*kernel)(_Parameters...), dim3 grid, dim3 block, void** arguments,
                           size_t shared_bytes = 0, hipStream_t stream = nullptr) {
  if (kernel == nullptr) return simt::invalid_launch(hipErrorInvalidDeviceFunction);
  if (sizeof...(_Parameters) != 0 && arguments == nullptr) return simt::invalid_launch(hipErrorInvalidValue);
  SIMT_FULLY_SET const simt::launch_shape shape{simt::unknown_kernel, grid, block, shared_bytes, stream, false};
  return simt::launch_by_addresses(shape, kernel, arguments, std::index_sequence_for<_Parameters...>{});
}

/// The same for a kernel whose blocks wait for each other. hipErrorCooperativeLaunchTooLarge where the machine
/// cannot keep so many alive at once.
template <class... _Parameters>
hipError_t hipLaunchCooperativeKernel(void (*kernel)(_Parameters...), dim3 grid, dim3 block, void** arguments,
                                      unsigned shared_bytes, hipStream_t stream) {
  if (kernel == nullptr) return simt::invalid_launch(hipErrorInvalidDeviceFunction);
  if (sizeof...(_Parameters) != 0 && arguments == nullptr) return simt::invalid_launch(hipErrorInvalidValue);
  SIMT_FULLY_SET const simt::launch_shape shape{simt::unknown_kernel, grid, block, shared_bytes, stream, true};
  return simt::launch_by_addresses(shape, kernel, arguments, std::index_sequence_for<_Parameters...>{});
}

/// hipErrorNotSupported: without the function's type nothing is known of its arguments. Give the function
/// itself, not its address as a void pointer.
SIMT_API hipError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared_bytes = 0, hipStream_t stream = nullptr);
SIMT_API hipError_t hipLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                               unsigned shared_bytes, hipStream_t stream);

}  // namespace hip_on_cpu

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define SIMT_KERNEL_TEXT(...) #__VA_ARGS__

/// hipLaunchKernelGGL(kernel, grid, block, shared bytes, stream, arguments...). A template's arguments with a
/// comma need parentheses or HIP_KERNEL_NAME around the kernel. An error is the thread's last one.
#define hipLaunchKernelGGL(kernel, ...)                                             \
  ::simt::launch_kernel(                                                            \
      SIMT_KERNEL_TEXT(kernel),                                                     \
      [&](const auto&... simt_arguments) -> decltype((kernel)(simt_arguments...)) { \
        return (kernel)(simt_arguments...);                                         \
      },                                                                            \
      __VA_ARGS__)
