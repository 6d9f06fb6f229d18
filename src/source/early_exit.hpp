// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that leave by `if (i >= size) return;`, or go on to the next round by `continue`, before all of them should
// meet.
#pragma once

#include <optional>
#include <string>

#include "findings/outcome.hpp"
#include "source/source_outline.hpp"

namespace warpz {

/// A statement in one line, without an else.
struct early_exit {
  source_statement statement;
  source_scope scope;  ///< in which it stands
  bool is_return;      ///< otherwise it is `continue`
};

/// The last one in front of a token that is in the same scope or in one around it.
std::optional<early_exit> early_exit_before(const source_outline& outline, std::size_t number);

/// What those that stay have in common: the opposite of the exit's condition.
std::string condition_to_stay(const source_outline& outline, const early_exit& exit);

}  // namespace warpz
