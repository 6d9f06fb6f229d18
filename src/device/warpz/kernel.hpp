// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a kernel runnable by name: the last line of a kernel file is WARPZ_KERNEL(function).
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <type_traits>

#include "warpz/warp.hpp"

namespace warpz {

/// What a kernel's argument points to.
struct kernel_element {
  std::size_t bytes;  ///< 0 for an argument that is no pointer, and for void
  bool is_float;
};

/// One kernel of the module this file is compiled into.
struct kernel_entry {
  const char* identity;  ///< no other kernel of the module has it
  unsigned argument_count;
  const std::size_t* argument_sizes;  ///< in bytes
  const kernel_element* elements;     ///< one for each argument
  const void* function;               ///< by which HIP launches it
  /// What runs in place of the kernel, a vendor's library, whose arguments are at these addresses. Null: the kernel.
  hipError_t (*call)(hipStream_t stream, void** addresses);
  const kernel_entry* next;
};

/// The module's kernels, newest first.
inline const kernel_entry*& kernel_list() {
  static const kernel_entry* first = nullptr;
  return first;
}

namespace detail {

template <class... _Arguments>
inline constexpr std::size_t sizes_of[sizeof...(_Arguments) + 1] = {sizeof(_Arguments)...};

template <class _Argument>
constexpr kernel_element element_of() {
  using element = std::remove_cv_t<std::remove_pointer_t<_Argument>>;
  if constexpr (std::is_pointer_v<_Argument> && std::is_object_v<element>) {
    return {sizeof(element), std::is_same_v<element, float>};
  }
  return {};
}

template <class... _Arguments>
inline constexpr kernel_element elements_of[sizeof...(_Arguments) + 1] = {element_of<_Arguments>()...};

struct kernel_registration {
  kernel_entry entry;

  template <class... _Arguments>
  kernel_registration(const char* identity, void (*function)(_Arguments...),
                      decltype(kernel_entry::call) call = nullptr)
      : entry{identity,
              sizeof...(_Arguments),
              sizes_of<_Arguments...>,
              elements_of<_Arguments...>,
              reinterpret_cast<const void*>(function),
              call,
              kernel_list()} {
    kernel_list() = &entry;
  }
};

}  // namespace detail
}  // namespace warpz

/// Registers a __global__ function under its own name, which is also the one that findings call it by. No device
/// call happens before main.
#ifdef __WARPZ_CPU__
// Code for the CPU machine has a list of its kernels (src/instrument/device_code.hpp).
#define WARPZ_KERNEL(function) static_assert(std::is_function_v<decltype(function)>, "it is no kernel")
#else
#define WARPZ_KERNEL(function) WARPZ_KERNEL_AS(#function, function)
#endif

/// Registers it under another name, for one that another kernel of the module has, too.
#define WARPZ_KERNEL_AS(identity, function) \
  static const ::warpz::detail::kernel_registration warpz_kernel_##function(identity, function)
