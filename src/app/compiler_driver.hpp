// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warpz-hipcc: this program by another name, by which build systems call it as a compiler; and what the executables
// that it links start.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/output_stream.hpp"

namespace warpz {

/// Compiles and links as the words say, the first of which is the driver's name. Returns the exit code.
int run_compiler_driver(std::span<const char* const> words, output_stream& out, output_stream& err);

/// The path of the toolchain file by which CMake finds the driver. Throws error(no_device) where it is missing.
std::string toolchain_file_text();

/// The words by which warpz runs an executable of warpz-hipcc that has started it with these words; `words` itself
/// where none has. $WARPZ_WARP_SIZE and $WARPZ_OPTIONS have the options.
std::vector<std::string> words_of_started_program(std::span<const char* const> words);

}  // namespace warpz
