// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a user's kernel is compiled with: the compiler, the program's own headers and objects, and the command lines.
//
// It finds and names; it runs nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/command.hpp"

namespace warpz {

/// What compiles for the CPU machine.
struct cpu_compiler {
  std::string file;
  std::string identity;
};

/// Changes when another program lies at this path.
std::string identity_of(const std::string& file);

/// The compiler asked for, else $WARPZ_CXX, else clang++, else g++. Throws error(bad_input) where the one asked for is
/// not there, error(no_device) where none is.
cpu_compiler find_cpu_compiler(const std::optional<std::string>& asked, std::string_view option = "--kernel");

/// A header folder or an object that belongs to the program and is compiled or linked with. Throws error(no_device)
/// where it is missing; `option` is the one that needs it.
std::string toolchain_part(std::string_view name, std::string_view option);

/// What the macros of macros_command say.
bool is_clang(std::string_view macros);

// For code that runs on the CPU machine.
/// Links by gold where that is there: GNU's older linker takes longer for a module than the compiler.
void add_linker(std::vector<std::string>& words);
/// A program that watches its own memory can only load code that does.
void add_sanitizers(std::vector<std::string>& words);

/// The names of the files that are compiled and made, and the device.
struct compilation {
  std::string source;
  std::string result;
  std::string dependencies;   ///< where the compiler writes which headers it has read
  std::string quoted_folder;  ///< where `#include "..."` of the user's file looks first; empty: nowhere else
  std::string vendor;         ///< cpu, amd or nvidia
  std::string architecture;   ///< of a GPU: gfx90a, sm_90
  bool instrumented;          ///< for the CPU: the kernels tell of each access
  /// For the CPU: where the precompiled beginning of the source lies, made for the same step; empty: nowhere.
  std::string header = {};
  bool makes_header = false;  ///< set by header_command()
};

/// Prints the macros that the compiler defines: whose it is.
command macros_command(const cpu_compiler& with);

/// Compiles only to see which kernels there are; warnings are given. Here and below, `macros` is what macros_command
/// has printed.
command discovery_command(const cpu_compiler& with, const compilation& of, std::string_view macros);

/// Compiles to a kernel module, one command after the other; warnings have been given already. What an instrumented
/// module's commands make is finished with finish_instrumented(). Throws error(no_device) where a GPU's compiler or the
/// program's own part for it is missing.
std::vector<command> module_commands(const cpu_compiler& with, const compilation& of, std::string_view macros);

/// The compilations for the CPU that a file goes through, and that have a precompiled header of their own.
enum class cpu_step { discovery, module };

/// Whether the compiler makes precompiled headers that are worth it.
bool has_headers(std::string_view macros);

/// Precompiles what the source begins with, for one step. Of the compilation only the results, the device and whether
/// it is instrumented matter.
command header_command(cpu_step step, const cpu_compiler& with, compilation of, std::string_view macros);

}  // namespace warpz
