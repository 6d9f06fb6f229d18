// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases of a `switch`, by tokens, where each ends with its `break`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "source/source_outline.hpp"

namespace warpz {

struct source_case {
  std::vector<source_statement> labels;   ///< from `case` or `default` to the colon
  source_statement body;                  ///< the scope: what stands in front of its statements, and behind them
  std::optional<source_statement> leave;  ///< `break;`
  bool is_default = false;
};

struct source_switch {
  source_statement head, condition;  ///< with and without the parentheses
  std::vector<source_case> cases;

  /// What holds where a case is taken, if `chosen` is the name of what is asked.
  std::string condition_of(const source_outline& outline, const source_case& taken, const std::string& chosen) const;
};

/// Nothing where a case goes on with the next one, or is left in several places.
std::optional<source_switch> switch_in(const source_outline& outline, const source_statement& statement);

}  // namespace warpz
