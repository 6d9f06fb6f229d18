// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How code is compiled and linked for --check all: it tells the machine of each access and has space between its
// variables; where Clang compiles it, it also tells of accesses to constant arrays, and asks the machine what a
// variable is that nobody has set.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/command.hpp"
#include "compile/temp_dir.hpp"

namespace warpz {

/// Makes the compiler tell of each access.
void add_instrumentation(std::vector<std::string>& words, std::string_view macros);
void add_instrumentation_link(std::vector<std::string>& words);

/// Compiles to an object, one command after the other, each to be finished with finish_instrumented(). `words` compile
/// with -c and say nothing of the result; `later` is the compiler with what it needs where it goes on from its own
/// intermediate code. `macros` is what macros_command() has printed.
std::vector<command> instrumented_object_commands(std::vector<std::string> words, std::vector<std::string> later,
                                                  const std::string& object, std::string_view macros);

/// Does what compilers leave to do with what one of these commands has made in the work folder, if anything.
void finish_instrumented(const temp_dir& work, const command& done);

}  // namespace warpz
