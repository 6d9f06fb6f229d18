// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a loaded kernel module keeps its variables, as the dynamic linker knows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simt/check/shadow.hpp"

namespace simt::check {

struct module_memory {
  bool is_loaded = false;  ///< false: the kernels are linked into warpz, whose variables are not theirs alone
  std::uintptr_t code_begin = 0;
  std::size_t thread_local_module = 0;  ///< its number among those with thread-local variables; 0: it has none
  std::size_t thread_local_bytes = 0;
  std::uintptr_t thread_local_image = 0;  ///< with which a thread's copy begins; what is behind it is zero
  std::size_t thread_local_image_bytes = 0;
  std::uintptr_t variables_begin = 0;  ///< __device__ variables and all others that outlive a call
  std::size_t variables_bytes = 0;
  // The bytes between its variables, among them variables of a program's host code. Empty if it has no symbols.
  const std::vector<gap>* thread_local_gaps = nullptr;
  const std::vector<gap>* variable_gaps = nullptr;
};

/// The module that contains this code.
module_memory memory_of_module(std::uintptr_t code);

/// Where the calling thread has the module's __shared__ variables; 0: there are none. A thread that has not used them
/// yet gets them now, which takes longer than all else here.
std::uintptr_t shared_variables_of(const module_memory& module);

/// A program's host code has a variable there, which no lane reaches.
void note_host_variable(std::uintptr_t begin, std::size_t bytes);
bool is_of_host_variable(std::uintptr_t address);

/// The module that contains this code tells of all that the machine has to see.
void note_instrumented_module(std::uintptr_t code);
bool is_of_instrumented_module(std::uintptr_t code);

}  // namespace simt::check
