// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of functions that are no kernels. A launch has become a call (launches.hpp), for which any function will do.
#pragma once

#include <compare>
#include <span>
#include <string>
#include <vector>

#include "source/passes.hpp"

namespace warpz {

/// A function that a program launches, and that is not __global__.
struct launched_function {
  std::string file;  ///< of the launch; empty: unknown
  unsigned line = 0;
  std::string name;  ///< as its source has it

  auto operator<=>(const launched_function&) const = default;
};

/// Those in a program's sources, before separate(), in the order of their lines. What no source defines is left to the
/// linker; where a pointer leads is not known.
std::vector<launched_function> launched_functions(std::span<const source_passes> sources);

}  // namespace warpz
