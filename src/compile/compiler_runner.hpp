// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs compilers on a user's files, one command after the other: their messages, and what their failures mean.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/command.hpp"
#include "compile/cpu_code.hpp"
#include "compile/kernel_cache.hpp"
#include "compile/temp_dir.hpp"
#include "compile/toolchain.hpp"

namespace warpz {

/// What applies to every compiler that is run.
struct compiler_settings {
  bool color = false;
  std::function<void(std::string_view)> tell = {};  ///< receives the compiler's messages
  /// Called from time to time while a file is compiled, with the seconds it has taken; by several threads.
  std::function<void(std::string_view file, double seconds)> on_wait = {};
  std::vector<std::string> written_files = {};  ///< that warpz will write: none of them may be an input
};

class compiler_runner {
 public:
  /// `file` is the compiled file, as messages call it. Keeps a reference to `settings`.
  compiler_runner(const compiler_settings& settings, std::string file, const temp_dir& work)
      : settings_(settings), file_(std::move(file)), work_(work) {}

  /// Throws unless the compiler is a Clang that the plugin fits. What it has said of itself is cached.
  void check_compiler(const cpu_compiler& compiler, const kernel_cache& cache) const;

  /// The linker's own words for a command of the compiler's, from the cache or from the compiler; none where they are
  /// not known.
  std::vector<std::string> linker_of(const command& link, const cpu_compiler& compiler,
                                     const kernel_cache& cache) const;

  /// Runs the command, and says while it does that it goes on.
  command_end run_to_end(const command& job) const;

  /// Returns the command's output. Where it fails, shows `earlier_messages` and that output, and throws.
  std::string run(const command& job, std::string_view earlier_messages) const;

  /// Does so for a command of this program that has ended.
  std::string output_of(const command_end& ended, const std::string& program, std::string_view earlier_messages) const;

  /// Throws where the command has failed.
  void check(const command_end& ended, const std::string& program) const;

 private:
  const compiler_settings& settings_;
  const std::string file_;
  const temp_dir& work_;
};

/// The folder of compilers' macros and precompiled headers, beside that of the compiled kernels.
std::string compiler_cache_folder(const std::string& kernel_folder);
/// What is kept there.
kernel_cache compiler_cache(const std::string& kernel_folder);

/// For compiler_settings::on_wait: writes a line after each minute that a compiler takes.
std::function<void(std::string_view, double)> compilation_notice(std::function<void(std::string_view)> write);

/// Shows messages, in color or without.
void tell(const compiler_settings& settings, std::string_view messages);

/// The text of the user's file. Throws where it cannot be read.
std::string read_source(const std::string& name);

/// The bytes that a compiler has written; nothing where it has written none.
std::optional<std::string> read_result(const std::string& file);

/// Adds the files that a compiler has read, by the depfile that it wrote for make.
void add_depfile(compiled_code& code, const std::string& depfile, const temp_dir& work);
/// Adds warpz's own objects that the commands link.
void add_objects(compiled_code& code, std::span<const command> commands, const temp_dir& work);
/// A time that files changed before the call are older than, and files changed after it are not. Files get the time of
/// the kernel's last tick, or a precise one, so it waits for the next tick: up to 10 milliseconds.
std::chrono::system_clock::time_point begin_of_compilation();
/// False where an input may have changed since that time.
bool inputs_unchanged(const compiled_code& code, std::chrono::system_clock::time_point begin);

/// Whether an input of the user's, or one of these texts, asks whether a file exists (__has_include) or has the
/// assembler read one (.incbin, .include). No depfile names these files, so the code is not kept.
bool looks_at_other_files(const compiled_code& code, std::span<const std::string> texts);

/// Throws error(does_not_compile) where the code has read a file that is neither in the folder of `source` nor the
/// system's nor warpz's own, or may have.
void refuse_other_files(const compiled_code& code, const std::string& source);

/// Throws error(bad_input) where the code was made of a file that warpz is to write.
void refuse_written_inputs(const compiled_code& code, const compiler_settings& settings);

/// Whether an input of the user's, or one of these texts, asks how many lanes a warp has while it is compiled.
bool asks_for_warp_size(const compiled_code& code, std::span<const std::string> texts);

/// The environment variables that the compilers read, as lines NAME=value.
std::string compiler_environment();

}  // namespace warpz
