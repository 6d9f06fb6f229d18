// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/source_beginning.hpp"

#include <algorithm>
#include <array>

namespace warpz {
namespace {

/// Takes the text up to a blank, or all of it, and the blanks behind it.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return word;
}

/// The macro that a #define or an #ifdef names.
std::string_view macro_in(std::string_view operand) { return operand.substr(0, operand.find_first_of(" (")); }

}  // namespace

bool is_own_macro(std::string_view name) {
  constexpr std::array<std::string_view, 5> asked_for{"HIP", "CUDA", "SIMT", "WARPZ", "PSTL"};
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && name.front() != '_' && name != "NDEBUG" && std::none_of(name.begin(), name.end(), is_small) &&
         std::none_of(asked_for.begin(), asked_for.end(), [name](auto each) { return name.starts_with(each); });
}

bool source_beginning::is_conditional() const {
  return std::find(conditions_.begin(), conditions_.end(), false) != conditions_.end();
}

/// One directive, with the lines that it goes on in.
std::string_view source_beginning::take_line() {
  std::size_t end = rest_.find('\n');
  while (end != rest_.npos && end > 0 && rest_[end - 1] == '\\') end = rest_.find('\n', end + 1);
  const std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
  return line;
}

bool source_beginning::open_condition(std::string_view macro, bool may_be_guard) {
  std::string_view next = rest_.substr(0, rest_.find('\n'));
  const bool is_guard = may_be_guard && take_word(next) == "#define" && next == macro;
  conditions_.push_back(is_guard);
  return is_guard || is_own_macro(macro);
}

source_beginning::stop source_beginning::include(std::string_view operand) {
  is_quoted_ = operand.starts_with('"');
  const std::size_t end = operand.empty() ? operand.npos : operand.find(is_quoted_ ? '"' : '>', 1);
  if (end == operand.npos || (!is_quoted_ && operand.front() != '<')) return stop::other;
  header_ = operand.substr(1, end - 1);
  if (header_ != "hip/hip_runtime.h") return stop::other_header;
  return is_conditional() ? stop::other : stop::hip_header;
}

source_beginning::stop source_beginning::next() {
  std::string_view guard;
  while (!rest_.empty()) {
    std::string_view operand = take_line();
    const std::string_view directive = take_word(operand);
    if (directive == "<TokBeforeEOF>") break;
    if (directive == "#include") return include(operand);
    bool is_harmless = false;
    if (directive == "#define" || directive == "#undef") {
      is_harmless = is_own_macro(macro_in(operand)) || macro_in(operand) == guard;
    } else if (directive == "#ifdef" || directive == "#ifndef") {
      is_harmless = open_condition(operand, directive == "#ifndef");
      if (conditions_.back()) guard = operand;
    } else if (directive == "#else") {
      is_harmless = !conditions_.empty() && !conditions_.back();
    } else if (directive == "#endif") {
      is_harmless = !conditions_.empty();
      if (is_harmless) conditions_.pop_back();
    } else {
      is_harmless = directive == "#pragma" && operand == "once";
    }
    if (!is_harmless) return stop::other;
  }
  return stop::end;
}

}  // namespace warpz
