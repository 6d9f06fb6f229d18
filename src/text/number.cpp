// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "text/characters.hpp"

namespace warpz {
namespace {

// Outside of these decimal exponents a number is written with an exponent.
constexpr int first_plain_exponent = -4;
constexpr int last_plain_exponent = 15;

char* append(char* to, std::string_view text) { return std::copy(text.begin(), text.end(), to); }

}  // namespace

char* write_number(char* to, float value) {
  if (std::isnan(value)) return append(to, "nan");
  if (std::signbit(value)) *to++ = '-';
  value = std::fabs(value);
  if (std::isinf(value)) return append(to, "inf");
  if (value == 0) return append(to, "0.0");

  // "d.ddde+xx" or "de+xx": the shortest digits, whatever the exponent.
  char scientific[number_width];
  char* const end = std::to_chars(scientific, scientific + sizeof scientific, value, std::chars_format::scientific).ptr;
  char* const mark = std::find(scientific, end, 'e');
  int exponent = 0;
  std::from_chars(mark + (mark[1] == '+' ? 2 : 1), end, exponent);
  if (exponent < first_plain_exponent || exponent > last_plain_exponent) return std::copy(scientific, end, to);

  char digits[number_width];
  int count = 0;
  for (const char* at = scientific; at != mark; ++at)
    if (*at != '.') digits[count++] = *at;

  if (exponent < 0) {
    to = append(to, "0.");
    to = std::fill_n(to, -exponent - 1, '0');
    return std::copy_n(digits, count, to);
  }
  const int whole = exponent + 1;
  to = std::copy_n(digits, std::min(count, whole), to);
  if (count <= whole) {
    to = std::fill_n(to, whole - count, '0');
    return append(to, ".0");
  }
  *to++ = '.';
  return std::copy(digits + whole, digits + count, to);
}

std::string number_text(float value) {
  char text[number_width];
  return {text, write_number(text, value)};
}

parsed_float parse_float(std::string_view text) {
  // from_chars knows no plus sign.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  // It also knows NaNs with a text, as in nan(1).
  if (text.ends_with(')')) return {0, number_problem::not_a_number};
  parsed_float parsed;
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, parsed.value);
  if (problem == std::errc::invalid_argument || stopped != end) return {0, number_problem::not_a_number};
  if (problem == std::errc::result_out_of_range) {
    // Says neither whether it was too large or too small, nor what it rounds to.
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
