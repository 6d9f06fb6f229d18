// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linker's own command for a module or a program: Clang says what it would run, once, and then its start is saved.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/cpu_code.hpp"

namespace warpz {

/// What stands for the files in a command that the compiler is asked about.
inline const std::string linker_result = "warpz-result";
/// An option, as Clang would leave out files that are missing, and options for the linker keep their place among them.
inline const std::vector<std::string> linker_objects{"-Wl,warpz-objects"};

/// Asks the compiler how it would run this command of its own, which links these objects to this result.
command linker_question(command link);

/// The linker's words in its answer, with marks where the files stand; empty where there are none.
std::vector<std::string> linker_words(std::string_view answer);

/// Links the objects by these words.
command link_command(std::span<const std::string> linker, const std::string& result,
                     std::span<const std::string> objects);

}  // namespace warpz
