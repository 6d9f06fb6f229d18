// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the files of a whole HIP program to one shared object with its main: preprocesses them, rewrites them as
// C++, compiles and links them, and keeps the result for the next run.
//
// Runs nothing of the user's. Whatever happens, leaves no process and no temporary file behind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler_runner.hpp"
#include "compile/kernel_file.hpp"

namespace warpz {

struct user_program_request {
  std::vector<std::string> files;
  std::vector<std::string> flags;  ///< the user's, for each compilation and for linking
  /// For each file, before those: none, or what its build compiles it with.
  std::vector<std::vector<std::string>> file_flags;
  std::optional<std::string> compiler;  ///< nothing: the default one
  bool instrumented = false;            ///< the program reports each access
  unsigned warp_size = 32;              ///< what the program is told if it asks while it is compiled
  std::string architecture;             ///< the GPU that it sees itself on; empty: one with as many lanes
  unsigned rocm = 0;                    ///< ROCm's version whose interface it sees; 0: the headers' own
  bool debuggable = false;              ///< hardly optimized, with all debug information
  bool has_to_be_complete = false;      ///< a function that is missing is an error now, not when the program begins
  std::string cache_folder;             ///< empty: nothing is kept
  compiler_settings settings;
};

/// A compiled program.
struct compiled_user_program {
  std::string library;              ///< the shared object's bytes
  std::vector<std::string> inputs;  ///< the files it was made of, without warpz's own objects
  bool asks_for_warp_size = false;  ///< it is for that of the request only

  /// The inputs for make, where the program is this file.
  std::string depfile(std::string_view file) const;
};

/// Whether --output wrote this file, which then runs as it is.
bool is_compiled_user_program(const std::string& file);

/// Throws error: bad_input where a file cannot be read, does_not_compile, or no_device where a compiler is missing or
/// crashes.
compiled_user_program compile_user_program(user_program_request request);

}  // namespace warpz
