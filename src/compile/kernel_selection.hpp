// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects the kernel of a file that runs in each puzzle, and writes the source to compile for it.
//
// Text in, text out: opens no file and starts no compiler.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/kernel_symbols.hpp"
#include "puzzle/puzzle.hpp"

namespace warpz {

/// The text of a user's file, and what it is for.
struct kernel_source {
  std::string name;  ///< as given, and as messages call it
  std::string text;
  std::vector<const puzzle*> puzzles;  ///< the puzzles in which its kernels run
  std::optional<std::string> entry;    ///< the kernel's name, if the user gives one
};

/// A kernel that runs in a puzzle.
struct chosen_kernel {
  kernel_symbol symbol;
  std::string parameters;  ///< of the puzzle: "float*, float const*, int"
};

/// What findings call a kernel: "scale" of "mine::scale<float>".
std::string short_name_of(const chosen_kernel& kernel);

/// The identity in the module of the kernel for the puzzle in this place.
std::string identity_of_kernel(std::size_t place);

/// The source for discovery: the user's, preceded by a kernel with each puzzle's parameters.
std::string discovery_text(const kernel_source& source);

/// The kernel for each puzzle, out of those found by discovery: the one with the puzzle's parameters; of several, the
/// one with the puzzle's own name. Throws error(bad_input) where that leaves none or several.
std::vector<chosen_kernel> choose_kernels(const kernel_source& source, std::span<const kernel_symbol> found);

/// The same where nothing is known but the entry that the user names.
std::vector<chosen_kernel> named_kernels(const kernel_source& source);

/// The source that registers the kernels of a module that was made of the source for discovery, by their identities.
std::string registration_text(const kernel_source& source);

/// The module's source: the user's, followed by what registers the kernels.
std::string module_text(const kernel_source& source, std::span<const chosen_kernel> kernels);

}  // namespace warpz
