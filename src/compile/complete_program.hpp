// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a program that this one loads has all functions that it calls.
#pragma once

#include <string>

namespace warpz {

/// A function that the shared object needs, and that is neither this program's own nor in a library that it is linked
/// with; empty where there is none, or where the system has no ldd to ask.
std::string missing_function(const std::string& shared_object);

}  // namespace warpz
