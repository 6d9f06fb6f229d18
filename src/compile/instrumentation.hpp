// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How code is compiled for --check all: by a Clang that has loaded warpz's plugin (src/instrument), which has the code
// report each access to the machine.
#pragma once

#include <string>
#include <vector>

namespace warpz {

/// Adds the options for it, to a command that compiles or makes a precompiled header.
void add_instrumentation(std::vector<std::string>& words);

/// Adds what the machine's headers ask for. For a step that preprocesses alone; add_instrumentation() has it.
void add_instrumentation_macros(std::vector<std::string>& words);

/// Code of the CPU machine tells warpz's own sanitizer, if it has one, of the stacks of lanes.
void add_sanitizer_macro(std::vector<std::string>& words);

}  // namespace warpz
