// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiles kernels for the CPU machine: the one Clang that warpz was built for, and warpz's own headers, objects
// and plugin for it.
//
// Finds and names them; runs nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compile/command.hpp"

namespace warpz {

struct cpu_compiler {
  std::string file;
  std::string identity;
};

/// Differs when another program lies at this path.
std::string identity_of(const std::string& file);

/// The requested compiler, else $WARPZ_CXX, else the Clang that warpz was built for. Throws error(bad_input) where the
/// requested one is missing, error(no_device) where there is none; `option` is the one that needs it.
cpu_compiler find_cpu_compiler(const std::optional<std::string>& requested, std::string_view option);

/// Prints the macros that the compiler defines, which show whose it is.
command macros_command(const cpu_compiler& compiler);

/// Throws error(no_device) unless these macros are those of a Clang that the plugin fits.
void check_macros(const cpu_compiler& compiler, std::string_view macros);

/// The path of a header folder, an object or the plugin of warpz's own. Throws error(no_device) where it is missing;
/// `option` is the one that needs it.
std::string toolchain_part(std::string_view name, std::string_view option);

}  // namespace warpz
