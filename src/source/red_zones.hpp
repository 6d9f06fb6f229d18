// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Space between variables, for --check all: who runs past the end of an array comes to memory that nobody owns, and not
// to the next array. The machine finds out which that is by the variables' symbols (src/simt/check/module_memory.hpp).
#pragma once

#include <string>

namespace warpz {

/// The object with some more bytes, which belong to no variable, behind each variable that has a section of its own
/// (-fdata-sections): as many as it has twice, at least 256 and at most 64 KiB. What is no object is given back as it
/// is.
std::string with_red_zones(std::string object);

}  // namespace warpz
