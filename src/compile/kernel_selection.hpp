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

#include "compile/kernel_list.hpp"
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
  listed_kernel kernel;
  std::string parameters;  ///< what the puzzle passes: "float*, float const*, int"
};

/// What findings call a kernel: "scale" of "mine::scale<float>".
std::string short_name_of(const chosen_kernel& kernel);

/// The identity, in a GPU's module, of the kernel for the puzzle in this place.
std::string identity_of_kernel(std::size_t place);

/// The source in which the kernels are looked for: the user's, preceded by this header and a kernel with each puzzle's
/// parameters. For the CPU it is the module's, too.
std::string search_text(const kernel_source& source, std::string_view header);

/// The kernel for each puzzle, out of those that the search has found: the one with the puzzle's parameters; of
/// several, the one with the puzzle's own name. Throws error(bad_input) where that leaves none or several.
std::vector<chosen_kernel> choose_kernels(const kernel_source& source, std::span<const listed_kernel> found);

/// The kernel that the user names, where nothing else is known.
std::vector<chosen_kernel> named_kernels(const kernel_source& source);

/// The source of a GPU's module: the user's, followed by what registers the kernels.
std::string module_text(const kernel_source& source, std::span<const chosen_kernel> kernels);

}  // namespace warpz
