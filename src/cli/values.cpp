// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "error.hpp"
#include "input/size_limit.hpp"
#include "text/nearest.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

[[noreturn]] void refuse(const option_row& row, std::string_view wanted, std::string_view text,
                         std::string advice = {}) {
  throw error(exit_code::bad_input,
              fmt::format("--{} takes {}, not '{}'", row.name, wanted, printable(text, max_shown)), std::move(advice));
}

/// Decimal digits, with an exponent or without: 1000, 1e3, 1.5e3.
std::optional<std::uint64_t> whole(std::string_view text) {
  const std::size_t sign = text.find_first_of("eE");
  if (sign == std::string_view::npos) return parse_whole(text);
  const std::string_view digits = text.substr(0, sign);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::string_view fraction = digits.substr(std::min(point + 1, digits.size()));
  const auto exponent = parse_whole(text.substr(sign + 1));
  if (!exponent || *exponent > std::numeric_limits<std::uint64_t>::digits10 || fraction.size() > *exponent) return {};
  if (point == 0 || (point < digits.size() && fraction.empty())) return {};
  return parse_whole(fmt::format("{}{}{:0<{}}", digits.substr(0, point), fraction, "", *exponent - fraction.size()));
}

}  // namespace

std::uint64_t whole_number(const option_row& row, std::string_view text, std::uint64_t least, std::uint64_t most) {
  const auto value = whole(text);
  if (value && *value >= least && *value <= most) return *value;
  refuse(row, fmt::format("a whole number from {} to {}", least, most), text,
         value ? "" : "Write it in decimal digits, such as 1000000 or 1e6, without sign or unit.");
}

float number(const option_row& row, std::string_view text) {
  const parsed_float parsed = parse_float(text);
  if (parsed.problem == number_problem::too_large)
    refuse(row, fmt::format("a number that a float holds (at most {})", largest_float), text);
  if (parsed.problem != number_problem::none || std::isnan(parsed.value))
    refuse(row, "a number", text, "Numbers are decimal: 1, -0.5, 1e3, inf.");
  return parsed.value;
}

matrix_shape shape(const option_row& row, std::string_view text) {
  std::uint32_t sides[3] = {};
  std::string_view rest = text;
  for (std::uint32_t& side : sides) {
    const std::size_t end = &side == &sides[2] ? rest.size() : rest.find('x');
    const auto value = end == std::string_view::npos ? std::nullopt : parse_whole(rest.substr(0, end));
    if (!value || *value < 1 || *value > max_elements)
      refuse(row, "three whole numbers of at least 1, such as 64x32x16", text);
    side = static_cast<std::uint32_t>(*value);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {sides[0], sides[1], sides[2]};
}

std::uint64_t lane_set(const option_row& row, std::string_view text) {
  constexpr std::uint64_t last_lane = 63;
  std::uint64_t lanes = 0;
  for (std::string_view rest = text;;) {
    const std::string_view part = rest.substr(0, rest.find(','));
    const auto first = parse_whole(part.substr(0, part.find('-')));
    const auto last = part.find('-') == std::string_view::npos ? first : parse_whole(part.substr(part.find('-') + 1));
    if (!first || !last || *first > *last || *last > last_lane)
      refuse(row, fmt::format("lane numbers from 0 to {}, such as 0-7 or 0,16,31", last_lane), text);
    for (std::uint64_t lane = *first; lane <= *last; ++lane) lanes |= std::uint64_t{1} << lane;
    if (part.size() == rest.size()) return lanes;
    rest.remove_prefix(part.size() + 1);
  }
}

step_range steps(const option_row& row, std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = parse_whole(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_whole(text.substr(dash + 1));
  if (!first || !last || *first == 0 || *first > *last)
    refuse(row, "step numbers of at least 1, such as 1-40 or 7", text);
  return {*first, *last};
}

double seconds(const option_row& row, std::string_view text, double least, double most) {
  double value = 0;
  const auto [stopped, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  // A NaN is neither.
  if (problem == std::errc{} && stopped == text.data() + text.size() && value >= least && value <= most) return value;
  refuse(row, fmt::format("seconds from {} to {}", least, most), text);
}

std::size_t choice_index(const option_row& row, std::string_view text) {
  const std::vector<std::string_view> known = choices(row);
  const auto place = std::find(known.begin(), known.end(), text);
  if (place != known.end()) return static_cast<std::size_t>(place - known.begin());
  const auto near = nearest(text, known);
  std::string advice;
  if (!near.empty()) advice = fmt::format("Did you mean {}?", alternatives(near, fmt::format("--{} ", row.name)));
  refuse(row, alternatives(known), text, advice);
}

}  // namespace warpz
