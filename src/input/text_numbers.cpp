// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "error.hpp"
#include "input/input.hpp"
#include "input/size_limit.hpp"
#include "text/characters.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

// At most 112 digits distinguish a float from its neighbors: anything longer than this is not a number.
constexpr std::size_t max_number = 4096;
// So many numbers need no check of the memory. Each time that as many more have been read, it is checked again.
constexpr std::size_t checked_at_once = std::size_t{1} << 18;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_separator(char c) { return is_blank(c) || c == ','; }

class text_reader {
 public:
  explicit text_reader(byte_source& source) : source_(source) {}

  std::vector<float> read(std::size_t most) {
    if (source_.look(byte_order_mark.size()).starts_with(byte_order_mark)) source_.skip(byte_order_mark.size());
    std::vector<float> numbers;
    std::size_t has_room_for = checked_at_once;
    while (numbers.size() < most) {
      skip_separators(!numbers.empty());
      const std::string_view text = next_number();
      if (text.empty()) break;
      if (numbers.size() == has_room_for) has_room_for = room_beyond(numbers.size());
      numbers.push_back(value_of(text));
      source_.skip(text.size());
      column_ += text.size();
    }
    return numbers;
  }

 private:
  // A growing list is copied to one twice as long. Both fit into the memory that a run of as many elements needs.
  std::size_t room_beyond(std::size_t count) const {
    check_elements(count + 1, source_.name(), bytes_per_given_element);
    return std::min<std::size_t>(max_elements, std::max(count + checked_at_once, affordable_elements()));
  }

  void skip_separators(bool comma_allowed) {
    while (true) {
      const std::string_view text = source_.look(1);
      std::size_t count = 0;
      for (; count < text.size() && is_separator(text[count]); ++count) {
        if (text[count] == ',' && !comma_allowed) fail("a comma where a number is expected");
        comma_allowed = comma_allowed && text[count] != ',';
        if (text[count] == '\n') ++line_;
        column_ = text[count] == '\n' ? 1 : column_ + 1;
      }
      source_.skip(count);
      if (count < text.size() || text.empty()) return;
    }
  }

  std::string_view next_number() {
    std::string_view text = source_.look(1);
    while (true) {
      const std::size_t length =
          static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_separator) - text.begin());
      if (length > max_number) fail(fmt::format("a number cannot be this long: '{}'", printable(text, max_shown)));
      if (length < text.size()) return text.substr(0, length);
      const std::string_view more = source_.look(text.size() + 1);
      if (more.size() == text.size()) return more;
      text = more;
    }
  }

  float value_of(std::string_view text) {
    const parsed_float parsed = parse_float(text);
    if (parsed.problem == number_problem::none) return parsed.value;
    const std::string shown = printable(text, max_shown);
    if (parsed.problem == number_problem::too_large)
      fail(fmt::format("'{}' is larger than a float holds ({})", shown, largest_float));
    fail(fmt::format("'{}' is not a number", shown));
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw error(exit_code::bad_input,
                fmt::format("{}, line {}, column {}: {}", source_.name(), line_, column_, problem),
                "Numbers are decimal (1, -0.5, 1e3, inf, nan), separated by blanks, commas or lines.");
  }

  byte_source& source_;
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 1;  // in bytes
};

}  // namespace

std::vector<float> read_text(byte_source& source, std::optional<std::size_t> first) {
  return text_reader(source).read(first.value_or(std::numeric_limits<std::size_t>::max()));
}

}  // namespace warpz
