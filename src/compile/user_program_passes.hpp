// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the sources of a HIP program to objects: each one twice, for the host and for the device, side by side.
//
// The host's code is not checked and as fast as any. The device's code is what kernels reach (source/passes.hpp).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler_runner.hpp"
#include "compile/user_program_commands.hpp"

namespace warpz {

struct program_compilation {
  const cpu_compiler& compiler;
  const user_program_compilation& common;
  std::span<const std::string> files;
  const compiler_settings& settings;
  const temp_dir& work;
};

/// Returns the objects' names. Adds the compilers' messages and the files that they have read to `code`.
std::vector<std::string> compile_program(const program_compilation& job, compiled_code& code);

}  // namespace warpz
