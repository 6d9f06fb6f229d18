// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a command line is refused: an error (bad_input) that names the word, and what to try.
#pragma once

#include <string>
#include <string_view>

#include "cli/option_table.hpp"

namespace warpz {

/// What follows is the program's own, and no option of warpz.
inline constexpr std::string_view end_of_options = "--";

[[noreturn]] void refuse(const std::string& problem, std::string advice = {});

/// `next` is the word in the value's place, which is an option; empty: there is none.
[[noreturn]] void refuse_missing_value(const option_row& row, std::string_view next = {});

/// A word that is neither an option nor an option's value. `known` are what it may be meant for.
[[noreturn]] void refuse_word(std::string_view word, bool is_option, std::span<const option_row> table);

}  // namespace warpz
