// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compilers at work on a user's files, one command after the other: what each says, and what it means that it failed.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "compile/command.hpp"
#include "compile/kernel_cache.hpp"
#include "compile/temp_dir.hpp"
#include "compile/toolchain.hpp"

namespace warpz {

/// How all compilers are run.
struct compiler_settings {
  double seconds = 60;  ///< how long one may take
  bool color = false;
  std::function<void(std::string_view)> tell;  ///< takes the compiler's messages
};

class compiler_runner {
 public:
  /// `file` is what is compiled, as messages call it. Keeps a reference to `how`.
  compiler_runner(const compiler_settings& how, std::string file, const temp_dir& work)
      : how_(how), file_(std::move(file)), work_(work) {}

  /// The macros that the compiler defines, asked of it or as kept. Throws where it is no C++ compiler.
  std::string macros_of(const cpu_compiler& with, const kernel_cache& kept) const;

  /// What the command says. Throws where it fails, after all has been told that was said up to there.
  std::string run(const command& what, std::string_view said_before) const;

  /// Throws where the command has failed.
  void check(const command_end& ended, const std::string& program) const;

 private:
  const compiler_settings& how_;
  const std::string file_;
  const temp_dir& work_;
};

/// Where compilers' macros and precompiled headers are kept: beside the folder of the compiled kernels.
kernel_cache compiler_cache(const std::string& kernel_folder);

/// Tells messages in color or without.
void tell(const compiler_settings& how, std::string_view messages);

/// The user's file. Throws where it cannot be read; `option` is the one that names it.
std::string read_source(const std::string& name, std::string_view option);

/// What a compiler has written; nothing where that is nothing.
std::optional<std::string> read_result(const std::string& file);

/// Adds what the compilers read besides their arguments: by a file they wrote for make.
void note_depfile(compiled_kernels& made, const std::string& rule, const temp_dir& work);
/// The program's own objects that the commands link.
void note_objects(compiled_kernels& made, std::span<const command> commands, const temp_dir& work);
/// False where some may have changed since the compilers read it.
bool inputs_unchanged(const compiled_kernels& made, std::filesystem::file_time_type begin);

/// What the compilers read beside their arguments and files, as text: NAME=value.
std::string compiler_environment();

}  // namespace warpz
