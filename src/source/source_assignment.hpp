// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>

#include "source/source_outline.hpp"

namespace warpz {

struct source_assignment {
  std::size_t first, sign, last;  ///< tokens: where the target begins, the `=`, where the value ends
};

/// The only one of a statement, which may stand behind an `if`; its `;` is left out.
std::optional<source_assignment> assignment_in(const source_outline& outline, const source_statement& statement);

}  // namespace warpz
