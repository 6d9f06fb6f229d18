// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's own file with a kernel becomes a kernel module: read, compiled, kept for the next run.
//
// Nothing of the user's runs here; the module's code first runs in a kernel_process's child. Whatever happens, no
// process and no temporary file is left behind.
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
  std::vector<const puzzle*> puzzles;   ///< what its kernels are to run in
  std::optional<std::string> entry;     ///< the kernel's name; else it is found
  std::optional<std::string> compiler;  ///< for the CPU; else it is found
  std::string vendor = "cpu";
  std::string architecture;   ///< of a GPU
  bool instrumented = false;  ///< for the CPU: the kernels tell of each access
  std::string cache_folder;   ///< empty: nothing is kept
  compiler_settings settings;
};

struct compiled_kernels;

/// The compiled module, in memory: gone with this object.
class user_module {
 public:
  /// A file that only this process and its children have.
  class in_memory {
   public:
    explicit in_memory(std::string_view bytes);
    ~in_memory();
    in_memory(in_memory&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    in_memory& operator=(in_memory&&) = delete;
    std::string file() const;

   private:
    int descriptor_ = -1;
  };

  user_module(const compiled_kernels& made, std::vector<unsigned> launch_bounds);

  /// A path that this process and its children can load it by.
  std::string file() const { return module_.file(); }
  /// The name of each puzzle's kernel in it.
  const std::vector<std::string>& runs_as() const { return runs_as_; }
  /// The most threads of a block that each of these says it can be launched with; 0: it says nothing.
  const std::vector<unsigned>& launch_bounds() const { return launch_bounds_; }

 private:
  in_memory module_;
  std::vector<std::string> runs_as_;
  std::vector<unsigned> launch_bounds_;
};

/// Throws error: bad_input where the file cannot be read or has not the right kernel, does_not_compile, no_device where
/// a compiler is missing or fails by itself.
user_module compile_kernel(const compile_request& how);

}  // namespace warpz
