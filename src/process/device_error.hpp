// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A failed call of a GPU's runtime as an error of the program: the vendor's own words, and what to try.
#pragma once

#include <string>
#include <string_view>

#include "abi/module.h"
#include "error.hpp"

namespace warpz {

/// What to try where a module cannot be loaded, and where its runtime ends the process. Empty for the embedded module,
/// and where there is no file to read.
std::string advice_for_unloaded(const std::string& file);
std::string advice_for_module(const std::string& file);

/// An error(no_device) with the call, the code's name and its description, and advice where there is some for the code.
error device_error(const warpz_error& failure, std::string_view vendor);

/// The linker's message, with the function's name demangled: "undefined symbol: scale(float)".
std::string with_source_name(std::string reason);

}  // namespace warpz
