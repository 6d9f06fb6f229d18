// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

class header_reader {
 public:
  header_reader(std::string_view text, const std::string& name) : text_(text), rest_(text), name_(name) {}

  npy_header read() {
    npy_header header;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!take('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        header.descr = peek() == '[' ? nested() : std::string(quoted());
        has_descr = true;
      } else if (key == "fortran_order") {
        header.fortran_order = truth();
        has_order = true;
      } else if (key == "shape") {
        header.shape = tuple();
        has_shape = true;
      } else {
        fail(fmt::format("an unknown entry '{}'", printable(key, max_shown)));
      }
      if (take(',')) continue;
      expect('}');
      break;
    }
    skip_blanks();
    if (!rest_.empty()) fail("something after the dictionary");
    if (!has_descr) fail("no entry 'descr'");
    if (!has_order) fail("no entry 'fortran_order'");
    if (!has_shape) fail("no entry 'shape'");
    return header;
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  char peek() {
    skip_blanks();
    return rest_.empty() ? '\0' : rest_.front();
  }

  bool take(char wanted) {
    if (peek() != wanted || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) fail(fmt::format("no '{}' where one is expected", wanted));
  }

  std::string_view quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("no quoted text where one is expected");
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail("a quoted text without an end");
    const std::string_view inside = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return inside;
  }

  bool truth() {
    skip_blanks();
    for (const std::string_view word : {"True", "False"}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return word == "True";
    }
    fail("a 'fortran_order' that is neither True nor False");
  }

  // A structured type is a list of tuples; only its end matters, because it is refused.
  std::string nested() {
    std::size_t depth = 0;
    for (std::size_t at = 0; at < rest_.size(); ++at) {
      if (rest_[at] == '[') ++depth;
      if (rest_[at] != ']' || --depth > 0) continue;
      std::string list(rest_.substr(0, at + 1));
      rest_.remove_prefix(at + 1);
      return list;
    }
    fail("a list without an end");
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> lengths;
    expect('(');
    while (!take(')')) {
      skip_blanks();
      const std::string_view digits = rest_.substr(0, rest_.find_first_not_of("0123456789"));
      const auto length = parse_whole(digits);
      if (!length) fail("a 'shape' that is not a tuple of whole numbers");
      rest_.remove_prefix(digits.size());
      take('L');  // as Python 2 wrote long integers
      lengths.push_back(*length);
      if (take(',')) continue;
      if (lengths.size() == 1) fail("a 'shape' that is a number in brackets, not a tuple");
      expect(')');
      break;
    }
    return lengths;
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw error(exit_code::bad_input,
                fmt::format("{} has a malformed .npy header with {}: {}", name_, problem, printable(text_, max_shown)));
  }

  std::string_view text_;
  std::string_view rest_;
  const std::string& name_;
};

}  // namespace

npy_header parse_npy_header(std::string_view text, const std::string& name) { return header_reader(text, name).read(); }

}  // namespace warpz
