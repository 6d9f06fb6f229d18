// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of a puzzle's hints comes next.
#pragma once

#include <cstddef>
#include <optional>

#include "learn/course.hpp"
#include "learn/progress.hpp"

namespace warpz {

/// The number of the hint to give, from 0: of those that were not given, the first that is for the last attempt's
/// outcome, else the first. Nothing where all were given.
std::optional<std::size_t> next_hint(const lesson& one, const puzzle_progress& done);

/// The hint as a learner sees it: "Hint 2 of 3: the two ends", and its text in so many
/// columns.
std::string hint_text(const lesson& one, std::size_t number, std::size_t given, std::size_t width);

}  // namespace warpz
