// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as text, against the C library's reading of each word.
#include <algorithm>
#include <cerrno>

#include "fuzz/fuzz_support.hpp"
#include "input/input.hpp"
#include "text/number.hpp"

namespace {

using namespace warpz;
using floats = std::vector<float>;

bool is_separator(char c) { return std::string_view(" \t\n\v\f\r,").find(c) != std::string_view::npos; }

/// The spellings that are read: decimal, inf and nan; no other of strtof's spellings.
std::optional<float> value_of(const std::string& word) {
  if (word.size() > 4096 || word.find_first_of(std::string_view("xX(\0", 4)) != std::string::npos) return {};
  char* end = nullptr;
  const float value = std::strtof(word.c_str(), &end);
  if (end != word.c_str() + word.size()) return {};
  const bool spelled = word.find_first_of("iI") != std::string::npos;
  if (std::isinf(value) && !spelled) return {};
  return value;
}

struct outcome {
  floats numbers;
  /// Where a complaint points.
  std::optional<std::string> place;
};

/// The plainest reader: of all numbers, or of the first `most`.
outcome read_plainly(std::string_view text, std::size_t most) {
  outcome found;
  std::size_t line = 1, column = 1;
  const auto refuse = [&] { found.place = fmt::format(", line {}, column {}: ", line, column); };
  bool comma_allowed = false;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty() && found.numbers.size() < most) {
    if (is_separator(text[0])) {
      if (text[0] == ',' && !comma_allowed) {
        refuse();
        return found;
      }
      comma_allowed = comma_allowed && text[0] != ',';
      column = text[0] == '\n' ? 1 : column + 1;
      if (text[0] == '\n') ++line;
      text.remove_prefix(1);
      continue;
    }
    const std::string word(text.substr(0, std::find_if(text.begin(), text.end(), is_separator) - text.begin()));
    const std::optional<float> value = value_of(word);
    if (!value) {
      refuse();
      return found;
    }
    found.numbers.push_back(*value);
    comma_allowed = true;
    column += word.size();
    text.remove_prefix(word.size());
  }
  return found;
}

void check(const std::string& name, std::string_view text, std::optional<std::size_t> first) {
  const outcome wanted = read_plainly(text, first.value_or(std::numeric_limits<std::size_t>::max()));
  floats numbers;
  const auto told = fuzz::complaint([&] {
    byte_source source(name);
    numbers = read_text(source, first);
  });
  fuzz::require(told.has_value() == wanted.place.has_value(), "the same texts are refused", told.value_or("accepted"));
  if (told) {
    fuzz::require(told->find(*wanted.place) != std::string::npos, "a complaint names the place", *told + *wanted.place);
    return;
  }
  fuzz::require(fuzz::same(numbers, wanted.numbers), "the numbers are strtof's");
  for (const float value : numbers) {
    const parsed_float again = parse_float(number_text(value));
    fuzz::require(again.problem == number_problem::none && fuzz::same(again.value, value),
                  "what is printed is read again", number_text(value));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  // A .npy file, which read_input() would take it for, is another target's.
  for (const bool is_file : {true, false}) {
    for (const std::optional<std::size_t> first : {std::optional<std::size_t>(), std::optional<std::size_t>(2)}) {
      const fuzz::readable bytes = is_file ? fuzz::readable::file(text) : fuzz::readable::pipe(text);
      check(bytes.name(), text, first);
    }
  }
  return 0;
}
