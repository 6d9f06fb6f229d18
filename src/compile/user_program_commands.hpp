// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines that compile and link a user's whole program.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compile/cpu_code.hpp"
#include "compile/precompiled_header.hpp"

namespace warpz {

/// What all files of a program are compiled with.
struct user_program_compilation {
  const cpu_compiler& compiler;
  std::vector<std::string> flags;  ///< the user's, checked
  code_settings code;
  unsigned warp_size;  ///< what the device's code is told if it asks while it is compiled; 0: in doubt
  /// The user's own build calls the compiler: it asks for warnings and dependencies itself, decides which names others
  /// see, and finds its files in any folder.
  bool is_of_build = false;
};

/// The files of one compilation of a source.
struct object_files {
  std::string source;
  std::string object;         ///< empty: the command says what is made
  std::string dependencies;   ///< where the compiler writes which headers it has read
  std::string identity = {};  ///< differs from other compilations of the same source; empty: there is one
};

/// Both sides of a source have to be given the same source, by which they find each other.
command user_program_object_command(const user_program_compilation& common, source_language language, code_side side,
                                    const object_files& files);

/// Precompiles the header of HIP or CUDA that such a source includes first. The flags are those that matter to it.
/// Lists the headers that the source includes, read as CUDA; those that are not the user's by the names that it has.
command user_program_question(const user_program_compilation& common, const std::string& source,
                              const std::string& depfile);

command user_program_header_command(const user_program_compilation& common, source_language language, code_side side,
                                    const precompiled_files& files);

/// The command that makes an object, with that header before the source.
command with_header(command object_command, const std::string& header);

/// Whether none of the user's flags says anything to the linker.
bool links_without_flags(const user_program_compilation& common);

command user_program_link_command(const user_program_compilation& common, std::span<const std::string> objects,
                                  const std::string& result);

}  // namespace warpz
