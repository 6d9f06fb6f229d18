// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel's module is linked: by the compiler, or by the linker's own command, as the compiler has once told it.
// That saves two thirds of the time, because Clang starts slowly.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/command.hpp"

namespace warpz {

struct cpu_compiler;

/// Another name for a function of an object.
struct symbol_name {
  std::string name;
  std::string symbol;
};

/// Links a module by the compiler.
command link_command(const cpu_compiler& compiler, const std::string& result, std::span<const std::string> objects,
                     std::span<const symbol_name> other_names = {});

/// Has Clang print the linker's command, without running it.
command linker_question(const cpu_compiler& compiler);

/// The words of that command in what Clang has printed; none where there are none.
std::vector<std::string> linker_words(std::string_view answer);

/// Links a module by these words.
command link_command(std::span<const std::string> linker, const std::string& result,
                     std::span<const std::string> objects, std::span<const symbol_name> other_names = {});

}  // namespace warpz
