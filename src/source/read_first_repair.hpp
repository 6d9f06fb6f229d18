// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A statement in which lanes read what others write in the same statement: all read, then they meet, then all write.
#pragma once

#include <optional>
#include <string_view>

#include "findings/outcome.hpp"
#include "source/source_outline.hpp"

namespace warpz {

/// The statement is one assignment, which may stand alone in a branch without `else` that all threads come to.
/// `barrier`: a call, as the file writes it. The file is left empty. Nothing where the text does not tell how.
std::optional<source_repair> read_first_repair(const source_outline& outline, const source_statement& statement,
                                               std::string_view barrier);

}  // namespace warpz
