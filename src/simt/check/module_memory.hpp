// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a loaded kernel module keeps its variables. Asks the dynamic linker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simt/check/shadow.hpp"

namespace simt::check {

struct module_memory {
  bool is_loaded =
      false;  ///< false: the kernels are linked into the program itself, whose variables are not theirs alone
  std::uintptr_t code_begin = 0;
  std::uintptr_t thread_local_begin = 0;  ///< of the calling thread: __shared__
  std::size_t thread_local_bytes = 0;
  std::uintptr_t variables_begin = 0;  ///< __device__ and whatever else outlives a call
  std::size_t variables_bytes = 0;
  // Where none of its variables lies. Empty where its symbols were stripped.
  const std::vector<gap>* thread_local_gaps = nullptr;
  const std::vector<gap>* variable_gaps = nullptr;
};

/// Of the module that this code belongs to.
module_memory memory_of_module(std::uintptr_t code);

}  // namespace simt::check
