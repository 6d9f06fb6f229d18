// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each kernel file begins with, warpz/kernel.hpp, is compiled once for each set of options and kept: a file of
// thirty lines then takes a third of the time.
//
// It saves time and changes nothing: without a cache, or with a compiler other than Clang, there is none. GCC's are
// five times as large, take twice as long to make, and give each file its own copy of a static variable.
#pragma once

#include <future>
#include <string>

#include "compile/command.hpp"
#include "compile/kernel_cache.hpp"
#include "compile/temp_dir.hpp"
#include "compile/toolchain.hpp"

namespace warpz {

/// Begins to look for the header in the cache and, where it is not there, to make it by the command, which is that of
/// header_command() for the compilation `files`. Under the key lies what the same command has made.
///
/// The future's value is its path in the work folder, or nothing where none can be made. Throws there what
/// temp_dir::write() throws. Cache and work folder have to outlive the future.
std::future<std::string> prepare_header(const kernel_cache& cache, std::string key, command making, compilation files,
                                        const temp_dir& work, double seconds);

}  // namespace warpz
