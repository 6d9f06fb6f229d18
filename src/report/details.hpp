// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What went wrong in one outcome, and what to run next, as text for a person.
#pragma once

#include <string>
#include <string_view>

#include "report/report.hpp"

namespace warpz {

/// "1 of 32 elements differs".
std::string mismatch_summary(const outcome& of);

/// "passed", "wrong result", "broken rule".
std::string_view verdict_words(verdict result);

/// The same, and a table of the first ones, as lines.
std::string wrong_result_text(const outcome& of);

/// All that is known about an outcome that is not passed, as lines, each ended. The first one continues
/// "wrong result: " or "broken rule: ".
std::string details_text(const outcome& of);

/// The first finding that no line of a --suppress file accepts; null where there is none.
const symbolized_finding* first_told(const outcome& of);

/// The one command to run next, and what it shows.
struct next_step {
  std::string command;
  std::string why;
};

/// For an outcome that is not passed.
next_step next_after(const outcome& of, const suggestion_style& style);

}  // namespace warpz
