// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command lines that make one shared object of a whole HIP program, for the CPU machine.
//
// It names; it runs nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/command.hpp"
#include "compile/toolchain.hpp"

namespace warpz {

/// What all files of a program have in common.
struct user_program_compilation {
  std::vector<std::string> flags;  ///< the user's
  bool instrumented = false;       ///< the code tells of each access
};

/// Preprocesses one source, with the user's flags.
command preprocess_command(const cpu_compiler& with, const user_program_compilation& how, const std::string& source,
                           const std::string& result, const std::string& rule);

/// Compiles what was preprocessed and rewritten since, one command after the other; of instrumented code each is to be
/// finished with finish_instrumented().
std::vector<command> user_program_object_commands(const cpu_compiler& with, const user_program_compilation& how,
                                                  std::string_view macros, const std::string& source,
                                                  const std::string& result);

command user_program_link_command(const cpu_compiler& with, const user_program_compilation& how,
                                  std::span<const std::string> objects, const std::string& result);

}  // namespace warpz
