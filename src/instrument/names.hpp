// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that the plugin shares with warpz's headers (src/simt/include).
#pragma once

#include "llvm/ADT/StringRef.h"

namespace warpz::instrument {

// Annotations: hip/detail/qualifiers.h.
inline constexpr llvm::StringLiteral kernel_annotation = "warpz_kernel";
inline constexpr llvm::StringLiteral launch_bounds_annotation = "warpz_launch_bounds";

// What a check of arithmetic is while the code is optimized: arithmetic.cpp.
inline constexpr llvm::StringLiteral arithmetic_function = "simt.arithmetic";

// The value of a variable that nobody has set, and a list of what it is compared with: unset_values.cpp.
inline constexpr llvm::StringLiteral unset_value_function = "simt_unset_value";

// Functions of a lane: simt/lane_functions.hpp.
inline constexpr llvm::StringLiteral dynamic_memory_function = "__warpz_dynamic_memory";
inline constexpr llvm::StringLiteral next_block_function = "__warpz_next_block";

}  // namespace warpz::instrument
