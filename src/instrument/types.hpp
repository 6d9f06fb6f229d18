// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the source, by the debug information.
#pragma once

#include "llvm/IR/DebugInfoMetadata.h"

#include <cstdint>
#include <string>

namespace warpz::instrument {

/// Without typedefs and qualifiers; null is void.
llvm::DIType* unqualified(llvm::DIType* type);

std::uint64_t bytes_of_type(llvm::DIType* type);

std::uint32_t alignment_of_type(llvm::DIType* type);

/// What a pointer or a reference refers to; null where the type is neither, or that is void.
llvm::DIType* pointee_of(llvm::DIType* type);

/// As demanglers write the type of a parameter: "float const*".
std::string name_of_type(llvm::DIType* type);

}  // namespace warpz::instrument
