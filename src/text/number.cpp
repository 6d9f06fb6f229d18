// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/number.hpp"

#include <fmt/compile.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <system_error>

#include "text/characters.hpp"

namespace warpz {

char* write_number(char* buffer, float value) {
  // A NaN is printed without its sign.
  if (std::isnan(value)) value = std::numeric_limits<float>::quiet_NaN();
  char* const end = fmt::format_to(buffer, FMT_COMPILE("{}"), value);
  const bool is_whole = std::all_of(buffer, end, [](char c) { return is_digit(c) || c == '-'; });
  constexpr std::string_view fraction = ".0";
  return is_whole ? std::copy(fraction.begin(), fraction.end(), end) : end;
}

std::string number_text(float value) {
  char text[number_width];
  return {text, write_number(text, value)};
}

parsed_float parse_float(std::string_view text) {
  // from_chars does not accept a plus sign.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  // It accepts NaNs with a text, as in nan(1).
  if (text.ends_with(')')) return {0, number_problem::not_a_number};
  parsed_float parsed;
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, parsed.value);
  if (problem == std::errc::invalid_argument || stopped != end) return {0, number_problem::not_a_number};
  if (problem == std::errc::result_out_of_range) {
    // from_chars does not say whether the number was too large or too small.
    parsed.value = std::strtof(std::string(text).c_str(), nullptr);
    if (std::isinf(parsed.value)) return {0, number_problem::too_large};
  }
  return parsed;
}

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return {};
  std::uint64_t value = 0;
  const auto [stopped, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{}) return {};
  return value;
}

}  // namespace warpz
