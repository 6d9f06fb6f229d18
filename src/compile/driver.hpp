// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles and links the parts of a project, as hipcc and nvcc do, for the CPU machine.
//
// An object has both sides of its source, so archives and shared objects are made of them as of any others. An
// executable that needs the machine is a shared object that can be started: then it starts warpz, which loads it. One
// that needs no machine, such as a program that a build runs, is an ordinary one.
#pragma once

#include <optional>
#include <string>

#include "compile/compiler_runner.hpp"
#include "compile/driver_options.hpp"

namespace warpz {

struct driver_settings {
  unsigned warp_size = 32;  ///< what code is told if it asks while it is compiled
  std::string cache_folder;
  compiler_settings compiling;
};

/// Does the job. Throws error: bad_input where an option does not fit, does_not_compile, or no_device where a compiler
/// is missing or crashes. Does not return where Clang itself does what is asked for.
void run_driver(const driver_job& job, const driver_settings& settings);

}  // namespace warpz
