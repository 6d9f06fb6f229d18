// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines that compile a kernel's file to a module for a GPU: by hipcc for AMD's, by CUDA's nvcc for NVIDIA's.
#pragma once

#include <string>
#include <vector>

#include "compile/command.hpp"

namespace warpz {

struct gpu_compilation {
  std::string source;
  std::string result;
  std::string dependencies;   ///< where the compiler writes which headers it has read
  std::string quoted_folder;  ///< where `#include "..."` of the user's file looks first
  std::string vendor;         ///< amd or nvidia
  std::string architecture;   ///< gfx90a, sm_90
};

/// The commands, one after the other, without warnings, which the search for kernels has shown. Throws error(no_device)
/// where a compiler or warpz's own part for it is missing.
std::vector<command> gpu_module_commands(const gpu_compilation& job);

}  // namespace warpz
