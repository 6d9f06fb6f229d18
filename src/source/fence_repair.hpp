// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that one block hands to another one by an atomic or a volatile flag: a fence behind the write, and one before
// the read.
#pragma once

#include <optional>
#include <string_view>

#include "findings/outcome.hpp"
#include "source/source_outline.hpp"

namespace warpz {

bool is_atomic(const token& each);
bool is_fence(const token& each);

/// Of a read and a write by different blocks, between tokens of one function. `barrier`: of a warp, as the file calls
/// it. Nothing where no atomic or loop can hand the data over.
std::optional<source_repair> fence_repair(const symbolized_finding& race, const source_outline& outline,
                                          source_statement code, std::string_view barrier);

}  // namespace warpz
