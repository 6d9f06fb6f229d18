// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as text: how a float is printed and which spellings are read.
//
// Owns both directions, so that warpz can read what it prints. It ignores the locale, and refuses hexadecimal numbers,
// digit separators and anything after the number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpz {

/// The size of the buffer that write_number() needs.
inline constexpr std::size_t number_width = 32;

/// Writes the shortest decimal that reads back to the same float, and returns the position behind it.
///
/// Plain digits with a point where the first digit's place is 10^-4 to 10^15 (`0.0001`, `3.3333333`, `1000.0`,
/// `123456790.0`), else with an exponent of at least two digits (`1e-05`, `1.5e+16`). Also `-0.0`, `inf`, `-inf` and,
/// whatever its sign and payload, `nan`. These are the spellings of Python's repr.
char* write_number(char* buffer, float value);

/// The decimal of write_number(), as a string.
std::string number_text(float value);

enum class number_problem { none, not_a_number, too_large };

struct parsed_float {
  float value = 0;
  number_problem problem = number_problem::none;
};

/// Reads the whole text as one float: decimal, with or without an exponent, `inf`, `infinity` and `nan` in any case, a
/// leading `+` or `-`. Rounds to the nearest float, so a number too small becomes a zero; one too large is a problem.
parsed_float parse_float(std::string_view text);

/// Reads the whole text as decimal digits. Nothing where it has any other character, or the number does not fit.
std::optional<std::uint64_t> parse_whole(std::string_view text);

/// The largest finite float, as number_text() prints it.
inline constexpr std::string_view largest_float = "3.4028235e+38";

}  // namespace warpz
