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

namespace warpz {

/// Starts to look for the header in the cache under this key and, if it is not there, to make it by the command, which
/// writes these files.
///
/// The future's value is the result, or empty where none can be made. It throws what temp_dir::write() throws. Cache
/// and folder have to outlive it.
std::future<std::string> prepare_header(const kernel_cache& cache, std::string key, command making, std::string result,
                                        std::string dependencies, const temp_dir& work);

}  // namespace warpz
