// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From addresses in a kernel's process to functions, files and lines, by the debug information on disk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "findings/outcome.hpp"
#include "system/mapped_file.hpp"

namespace warpz {

/// Where the kernels' code lies in the child process. An empty file means this very program, at the same
/// addresses as here.
struct code_location {
  std::string file;
  std::uint64_t base = 0;
  std::vector<std::string> sources = {};      ///< the files that it was compiled from, as the user named them
  std::vector<os::mapped_file> modules = {};  ///< code that a program has loaded while it ran
};

/// The source lines of a call stack, innermost first, inlined functions included. Leaves out the machine's frames
/// below the kernel, and addresses without debug information.
/// Empty where elfutils' libdw was missing when warpz was built, or is missing now.
std::vector<source_line> resolve_stack(std::span<const std::uint64_t> frames, const code_location& code);

/// Why this warpz can find no lines at all, as a sentence; empty where it can.
std::string_view why_no_lines();

}  // namespace warpz
