// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiles a user's kernel: the compiler, warpz's own headers and objects, and the command lines.
//
// Finds and names them; runs nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/command.hpp"
#include "compile/linker.hpp"

namespace warpz {

/// The compiler for the CPU machine.
struct cpu_compiler {
  std::string file;
  std::string identity;
};

/// Differs when another program lies at this path.
std::string identity_of(const std::string& file);

/// The version of the Clang whose plugin warpz has: no other one can load it.
extern const int clang_major;

/// The requested compiler, else $WARPZ_CXX, else the Clang that warpz was built for. Throws error(bad_input) where the
/// requested one is missing, error(no_device) where there is none.
cpu_compiler find_cpu_compiler(const std::optional<std::string>& requested, std::string_view option = "--kernel");

/// The path of a header folder or an object of warpz's own. Throws error(no_device) where it is missing; `option` is
/// the one that needs it.
std::string toolchain_part(std::string_view name, std::string_view option);

// For code that runs on the CPU machine.
/// Links by gold where that is there: GNU's older linker takes longer for a module than the compiler.
void add_linker(std::vector<std::string>& words);
/// A program with sanitizers can only load code that has them, too.
void add_sanitizers(std::vector<std::string>& words);

/// One file to compile: the names of the files read and written, and the device.
struct compilation {
  std::string source;
  std::string result;
  std::string dependencies;   ///< where the compiler writes which headers it has read
  std::string quoted_folder;  ///< where `#include "..."` of the user's file looks first; empty: nowhere else
  std::string vendor;         ///< cpu, amd or nvidia
  std::string architecture;   ///< of a GPU: gfx90a, sm_90
  bool instrumented;          ///< for the CPU: the kernels report each access
  /// For the CPU: the precompiled beginning of the source, made for the same step; empty: there is none.
  std::string header = {};
  bool makes_header = false;                   ///< set by header_command()
  bool debuggable = false;                     ///< for the CPU: hardly optimised, with all debug information
  std::string beginning = "warpz/kernel.hpp";  ///< of the source: what header_command() precompiles
  std::string registration = {};         ///< an object that registers the kernels, to be linked; empty: the source does
  std::vector<std::string> linker = {};  ///< of an instrumented module, by linker_words(); empty: the compiler links
  std::vector<symbol_name> other_names = {};  ///< of the kernels in such a module
};

/// Whether module_commands() marks the kernels, so that the first of them also finds these, and shows warnings. Then
/// the source registers none.
bool finds_kernels_at_once(const compilation& job);

/// The object of an instrumented module.
std::string object_of(const compilation& job);

/// Prints the macros that the compiler defines, which show whose it is.
command macros_command(const cpu_compiler& compiler);

/// Compiles only to find the kernels, with warnings.
command discovery_command(const cpu_compiler& compiler, const compilation& job);

/// The commands that compile to a kernel module, one after the other, without warnings, which discovery has shown.
/// Throws error(no_device) where a GPU's compiler or warpz's own part for it is missing.
std::vector<command> module_commands(const cpu_compiler& compiler, const compilation& job);

/// Compiles code that registers kernels of an object that was compiled by itself.
command registration_command(const cpu_compiler& compiler, const compilation& job);

/// The two compilations of a file for the CPU, each with a precompiled header of its own.
enum class cpu_step { discovery, module };

/// Precompiles the source's beginning for one step. Of the compilation only the results, the device and the
/// instrumentation count.
command header_command(cpu_step step, const cpu_compiler& compiler, compilation job);

}  // namespace warpz
