// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a user's own file with a kernel to a kernel module, and keeps it for the next run.
//
// Runs nothing of the user's: the module's code first runs in a kernel_process's child. Whatever happens, leaves no
// process and no temporary file behind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/compiler_runner.hpp"
#include "puzzle/puzzle.hpp"

namespace warpz {

struct compile_request {
  std::string file;
  std::vector<const puzzle*> puzzles;   ///< the puzzles in which its kernels run
  std::optional<std::string> entry;     ///< the kernel's name; nothing: warpz selects it
  std::optional<std::string> compiler;  ///< for the CPU; nothing: the default one
  std::string vendor = "cpu";
  std::string architecture;   ///< the GPU's
  bool instrumented = false;  ///< for the CPU: the kernels report each access
  bool debuggable = false;    ///< for the CPU: hardly optimised, with all debug information
  bool own_includes = false;  ///< files from outside of the file's folder are refused, but the system's and warpz's own
  std::string cache_folder;   ///< empty: nothing is kept
  compiler_settings settings;
};

struct compiled_code;

/// The compiled module in memory, freed with this object.
class user_module {
 public:
  /// A file that only this process and its children can open, and nobody can change.
  class in_memory {
   public:
    explicit in_memory(std::string_view bytes);
    ~in_memory();
    in_memory(in_memory&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    in_memory& operator=(in_memory&&) = delete;
    /// A debugger reads the file by this name, too.
    std::string file(bool debugged) const;

   private:
    int descriptor_ = -1;
  };

  explicit user_module(const compiled_code& code);

  /// The path by which this process and its children can load it, and a debugger of theirs.
  std::string file(bool debugged) const { return module_.file(debugged); }
  /// Each puzzle's kernel in it.
  const std::vector<kernel_name>& kernels() const { return kernels_; }
  /// The largest block, in threads, that each of these kernels allows; 0: any.
  const std::vector<unsigned>& launch_bounds() const { return launch_bounds_; }

 private:
  in_memory module_;
  std::vector<kernel_name> kernels_;
  std::vector<unsigned> launch_bounds_;
};

/// Throws error: bad_input where the file cannot be read or lacks the right kernel, does_not_compile, or no_device
/// where a compiler is missing or crashes.
user_module compile_kernel(const compile_request& request);

}  // namespace warpz
