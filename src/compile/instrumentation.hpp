// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How code is compiled and linked for --check all: it reports each access to the machine, and has space between its
// variables. Clang's code also reports accesses to constant arrays, of any width, and at addresses that do not fit
// their type; and it asks the machine for the values of variables that nobody has set, and has
// atomics for volatiles that only poll or publish.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/command.hpp"
#include "compile/temp_dir.hpp"

namespace warpz {

/// Adds the options with which the compiler's code reports each access. Here and below, `macros` is the output of
/// macros_command().
void add_instrumentation(std::vector<std::string>& words, std::string_view macros);
void add_instrumentation_link(std::vector<std::string>& words);

/// Code of the CPU machine tells warpz's own sanitizer, if it has one, of the stacks of lanes. For a step that
/// preprocesses alone; add_instrumentation() has it.
void add_sanitizer_macro(std::vector<std::string>& words);

/// The intermediate code from which two_step_commands() make this object.
std::string intermediate_of(const std::string& object);

/// Clang's commands that compile to intermediate code, not optimized yet, and then to an object. `words` compile with
/// -c and do not name the result; `later` is the compiler with what it needs to go on from its own intermediate code.
std::vector<command> two_step_commands(std::vector<std::string> words, std::vector<std::string> later,
                                       const std::string& object);

/// The same for code that reports its accesses: three commands, each to be followed by finish_instrumented(). With
/// another compiler it is one.
std::vector<command> instrumented_object_commands(std::vector<std::string> words, std::vector<std::string> later,
                                                  const std::string& object, std::string_view macros);

/// The file that a command writes: what follows -o.
std::string result_of(const command& job);

/// Edits the intermediate code or the object that one of these commands has written into the folder, if it has. False
/// where the next command has nothing to do, and is to be left out.
bool finish_instrumented(const temp_dir& work, const command& finished);

}  // namespace warpz
