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

/// Clang compiles each source twice, as hipcc does: for the host and for the device. Other compilers' code is for both.
enum class code_side { host, device, both };

/// Preprocesses one source, with the user's flags.
command preprocess_command(const cpu_compiler& compiler, const user_program_compilation& common, code_side side,
                           const std::string& source, const std::string& result, const std::string& depfile);

/// The commands that compile preprocessed and rewritten source to an object, one after the other: for one side as
/// two_step_commands() or instrumented_object_commands(), with intermediate code in between; one for both.
std::vector<command> user_program_object_commands(const cpu_compiler& compiler, const user_program_compilation& common,
                                                  code_side side, std::string_view macros, const std::string& source,
                                                  const std::string& result);

command user_program_link_command(const cpu_compiler& compiler, const user_program_compilation& common,
                                  std::span<const std::string> objects, const std::string& result);

}  // namespace warpz
