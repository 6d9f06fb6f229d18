// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the files of a whole program for a GPU, as the user's own build would: by hipcc, or CUDA by nvcc. Keeps the
// result for the next run.
//
// Runs nothing of the user's. Whatever happens, leaves no process and no temporary file behind.
#pragma once

#include <string>
#include <vector>

#include "compile/compiler_runner.hpp"

namespace warpz {

struct gpu_program_request {
  std::vector<std::string> files;
  std::vector<std::string> flags;  ///< the user's, for each compilation and for linking
  /// For each file, before those: none, or what its build compiles it with.
  std::vector<std::vector<std::string>> file_flags;
  std::string vendor;        ///< amd or nvidia
  std::string architecture;  ///< gfx90a, sm_90; unless a flag names another one
  std::string cache_folder;  ///< empty: nothing is kept
  compiler_settings settings;
};

/// The executable's bytes. Throws error: bad_input where a file cannot be read or is CUDA for AMD, does_not_compile, or
/// no_device where a compiler is missing or crashes.
std::string compile_gpu_program(gpu_program_request request);

}  // namespace warpz
