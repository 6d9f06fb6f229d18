// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Space between variables, for --check all: an access past the end of an array then hits memory that belongs to nobody,
// instead of the next array. The machine knows that memory by the variables' symbols
// (src/simt/check/module_memory.hpp).
#pragma once

#include <string>

namespace warpz {

/// The object file with additional bytes behind each variable that has a section of its own (-fdata-sections): twice
/// the variable's size, at least 256 and at most 64 KiB. Any other file is returned as it is.
std::string with_red_zones(std::string object);

}  // namespace warpz
