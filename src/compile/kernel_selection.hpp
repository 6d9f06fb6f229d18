// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of a file's kernels runs in which puzzle, and the source that is compiled for it.
//
// Text in, text out: it opens no file and starts no compiler.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/kernel_symbols.hpp"
#include "puzzle/puzzle.hpp"

namespace warpz {

/// A user's file as it was read.
struct kernel_source {
  std::string name;  ///< as given, and as messages call it
  std::string text;
  std::vector<const puzzle*> puzzles;  ///< what its kernels are to run in
  std::optional<std::string> entry;    ///< the kernel's name, where the user gives it
};

/// Some kernel under the name by which it is run.
struct chosen_kernel {
  kernel_symbol symbol;
  std::string runs_as;     ///< an identifier: "scale"
  std::string parameters;  ///< of the puzzle: "float*, float const*, int"
};

/// The source for discovery: the user's, preceded by a kernel with the parameters of each puzzle.
std::string discovery_text(const kernel_source& of);

/// The kernel for each puzzle, out of those found in the discovery's object: the one with the puzzle's parameters; of
/// several the one of the puzzle's own name. Throws error(bad_input) where that leaves none or several.
std::vector<chosen_kernel> choose_kernels(const kernel_source& of, std::span<const kernel_symbol> found);

/// The same where nothing is known of the file but the entry that the user names.
std::vector<chosen_kernel> named_kernels(const kernel_source& of);

/// The module's source: the user's, followed by what makes the kernels runnable.
std::string module_text(const kernel_source& of, std::span<const chosen_kernel> kernels);

}  // namespace warpz
