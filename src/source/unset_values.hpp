// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that nobody sets, for --check all: code asks the machine what they are, so that the search for undefined
// values can run it with one value and with another (src/run/experiments/undefined_search.hpp).
//
// Clang itself gives each variable that is declared without a value a pattern (-ftrivial-auto-var-init), and marks
// where. Here each pattern becomes what a function of the machine returns. Clang knows of this function that it changes
// nothing, and drops the call where the variable is set before anybody reads it; and it knows nothing of the value, so
// that the code is the same whatever it is.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// Clang's intermediate code as text, before it is optimised, with values asked for. `name` tells this code's variables
/// from those of other code. Variables of types that lanes cannot hand each other keep their pattern.
std::string with_unset_values(std::string_view code, std::string_view name);

}  // namespace warpz
