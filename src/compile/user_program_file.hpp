// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of a whole HIP program become one shared object with its main: read, preprocessed, rewritten to C++,
// compiled, kept for the next run.
//
// Nothing of the user's runs here. Whatever happens, no process and no temporary file is left behind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compile/compiler_runner.hpp"
#include "compile/kernel_file.hpp"

namespace warpz {

struct user_program_request {
  std::vector<std::string> files;
  std::vector<std::string> flags;       ///< the user's, for each compilation and for linking
  std::optional<std::string> compiler;  ///< else it is found
  bool instrumented = false;            ///< the program tells of each access
  std::string cache_folder;             ///< empty: nothing is kept
  compiler_settings settings;
};

/// What a program was compiled to.
struct compiled_user_program {
  std::string library;            ///< the shared object's bytes
  std::vector<std::string> used;  ///< the files it was made of, but for the program's own objects
};

/// Whether --output made this file: then it is run as it is.
bool is_compiled_user_program(const std::string& file);

/// Writes the shared object, and beside it FILE.d, which tells make what it was made of. Throws error(bad_input).
void write_user_program(const compiled_user_program& made, const std::string& file);

/// Throws error: bad_input where a file cannot be read, does_not_compile, no_device where a compiler is missing or
/// fails by itself.
compiled_user_program compile_user_program(const user_program_request& how);

}  // namespace warpz
