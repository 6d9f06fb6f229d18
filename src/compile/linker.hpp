// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linker's own command for a kernel module: Clang says what it would run, once, and then its start is saved.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/cpu_code.hpp"

namespace warpz {

/// Asks the compiler how it would link a module.
command linker_question(const cpu_compiler& compiler, const code_settings& settings);

/// The linker's words in its answer, with marks where the files stand; empty where there are none.
std::vector<std::string> linker_words(std::string_view answer);

/// Links the objects by these words.
command link_command(std::span<const std::string> linker, const std::string& result,
                     std::span<const std::string> objects);

}  // namespace warpz
