// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and checks the values of options. Every refusal is an error (bad_input) that says what the option takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/option_table.hpp"

namespace warpz {

/// Decimal digits only.
std::uint64_t whole_number(const option_row& row, std::string_view text, std::uint64_t least, std::uint64_t most);

/// A float or an infinity, as parse_float() reads them, but no NaN.
float number(const option_row& row, std::string_view text);

/// Three whole numbers of at least 1, separated by x: "64x32x16".
matrix_shape shape(const option_row& row, std::string_view text);

/// Lane numbers from 0 to 63, and ranges of them: "0-7,16". Returns a set of bits.
std::uint64_t lane_set(const option_row& row, std::string_view text);

/// "1-40", "7".
step_range steps(const option_row& row, std::string_view text);

double seconds(const option_row& row, std::string_view text, double least, double most);

/// The index of the text in choices(row).
std::size_t choice_index(const option_row& row, std::string_view text);

}  // namespace warpz
