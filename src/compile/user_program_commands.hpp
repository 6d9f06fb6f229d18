// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command lines that compile a whole HIP program to one shared object, for the CPU machine.
//
// Runs nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/command.hpp"
#include "compile/toolchain.hpp"

namespace warpz {

/// The settings that all files of a program share.
struct user_program_compilation {
  std::vector<std::string> flags;  ///< the user's
  bool instrumented = false;       ///< device code reports each access
  unsigned warp_size = 32;         ///< for the macros of the device's code
  bool debuggable = false;         ///< hardly optimized, with all debug information
};

/// Each source is compiled twice, as by hipcc: for the host and for the device.
enum class code_side { host, device };

/// Preprocesses one source, with the user's flags.
command preprocess_command(const cpu_compiler& compiler, const user_program_compilation& common, code_side side,
                           const std::string& source, const std::string& result, const std::string& depfile);

/// The two commands that compile preprocessed and rewritten source to LLVM IR, which is not optimized yet, and that to
/// an object.
std::vector<command> user_program_object_commands(const cpu_compiler& compiler, const user_program_compilation& common,
                                                  code_side side, const std::string& source, const std::string& result);

/// The LLVM IR from which these make the object.
std::string intermediate_of(const std::string& object);

command user_program_link_command(const cpu_compiler& compiler, const user_program_compilation& common,
                                  std::span<const std::string> objects, const std::string& result);

}  // namespace warpz
