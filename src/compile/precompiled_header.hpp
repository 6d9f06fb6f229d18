// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the beginning of each kernel file, warpz/kernel.hpp, once for each set of options, and keeps the result: a
// file of thirty lines then takes a third of the time.
//
// It saves time and changes nothing. There is none without a cache.
#pragma once

#include <future>
#include <string>

#include "compile/command.hpp"
#include "compile/kernel_cache.hpp"
#include "compile/temp_dir.hpp"
#include "compile/toolchain.hpp"

namespace warpz {

/// Starts to look for the header in the cache under this key and, if it is not there, to make it by the command, which
/// is that of header_command() for the compilation `files`.
///
/// An object that each kernel file is linked with is prepared in the same way.
///
/// The future's value is the header's path in the folder, or empty where none can be made. It throws what
/// temp_dir::write() throws. Cache and folder have to outlive it.
std::future<std::string> prepare_header(const kernel_cache& cache, std::string key, command making, compilation files,
                                        const temp_dir& work);

}  // namespace warpz
