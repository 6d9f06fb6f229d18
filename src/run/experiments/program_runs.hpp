// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One way of running a whole program, such as with 32 lanes in a warp, and in what it differs from another one.
#pragma once

#include <string>
#include <vector>

#include "process/user_program.hpp"

namespace warpz {

/// What came of running it once.
struct program_result {
  user_program_end end;
  std::string output;  ///< the beginning of what it printed, where that was kept
};

/// What came of running it so, once or more often.
struct program_runs {
  std::vector<user_program_end> ends;
  std::vector<std::string> outputs;

  void add(program_result one);
};

/// In what two ways differ, each time that they were gone: in how the program ended, or in a line of what it printed.
/// As lines of text, in which the ways have these names; empty where they differ in nothing.
std::vector<std::string> differences(const std::string& name, const program_runs& one, const std::string& other_name,
                                     const program_runs& other);

}  // namespace warpz
