// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a kernel runnable by name: the last line of a kernel file is WARPZ_KERNEL(function).
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <utility>

#include "warpz/warp.hpp"

namespace warpz {

/// One kernel of the module this file is compiled into.
struct kernel_entry {
  const char* name;
  unsigned argument_count;
  const std::size_t* argument_sizes;  ///< in bytes
  hipError_t (*launch)(dim3 grid, dim3 block, unsigned shared_bytes, hipStream_t stream, void** arguments);
  const kernel_entry* next;
};

/// The module's kernels, newest first.
inline const kernel_entry*& kernel_list() {
  static const kernel_entry* first = nullptr;
  return first;
}

namespace detail {

template <auto Kernel>
struct launcher;

template <class... Arguments, void (*Kernel)(Arguments...)>
struct launcher<Kernel> {
  static constexpr unsigned argument_count = sizeof...(Arguments);
  static constexpr std::size_t argument_sizes[] = {sizeof(Arguments)..., 0};

  template <std::size_t... Place>
  static hipError_t unpack(dim3 grid, dim3 block, unsigned shared_bytes, hipStream_t stream, void** arguments,
                           std::index_sequence<Place...>) {
    hipLaunchKernelGGL(Kernel, grid, block, shared_bytes, stream, *static_cast<Arguments*>(arguments[Place])...);
    return hipGetLastError();
  }

  static hipError_t launch(dim3 grid, dim3 block, unsigned shared_bytes, hipStream_t stream, void** arguments) {
    return unpack(grid, block, shared_bytes, stream, arguments, std::index_sequence_for<Arguments...>{});
  }
};

struct kernel_registration {
  kernel_entry entry;
  explicit kernel_registration(const kernel_entry& registered) : entry(registered) {
    entry.next = kernel_list();
    kernel_list() = &entry;
  }
};

}  // namespace detail
}  // namespace warpz

/// Registers a __global__ function under its own name. No device call happens before main.
#define WARPZ_KERNEL(function)                                                                                  \
  static const ::warpz::detail::kernel_registration warpz_kernel_##function {                                   \
    ::warpz::kernel_entry {                                                                                     \
      #function, ::warpz::detail::launcher<&function>::argument_count,          \
          ::warpz::detail::launcher<&function>::argument_sizes, &::warpz::detail::launcher<&function>::launch,  \
          nullptr                                                                                               \
    }                                                                                                           \
  }
