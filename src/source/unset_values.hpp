// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that nobody sets, for --check all: the code asks the machine for their values, so that the search for
// undefined values can run it with different ones (src/run/experiments/undefined_search.hpp).
//
// Clang itself fills each variable that is declared without a value with a pattern (-ftrivial-auto-var-init), and marks
// the place. Here each pattern becomes the result of a function of the machine. Clang knows that this function changes
// nothing, and drops the call where the variable is set before it is read. As Clang does not know the value, the code
// is the same for all of them.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// Clang's intermediate code as text, not optimized yet, with calls for the values. `name` distinguishes its variables
/// from those of other code. Variables of types that lanes cannot exchange keep their pattern.
std::string with_unset_values(std::string_view code, std::string_view name);

}  // namespace warpz
