// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/output_difference.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace warpz {
namespace {

/// Removes the next line from the text and returns it; nothing at the end.
std::optional<std::string_view> next_line(std::string_view& rest) {
  if (rest.empty()) return {};
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  return line;
}

/// Reads the outputs of equal runs in parallel, line by line.
class alike_lines {
 public:
  explicit alike_lines(const std::vector<std::string>& outputs) : rests_(outputs.begin(), outputs.end()) {}

  void step() {
    are_alike = is_end = true;
    for (std::string_view& rest : rests_) {
      const auto next = next_line(rest);
      if (&rest == &rests_.front()) line = next;
      are_alike = are_alike && next == line;
      is_end = is_end && !next;
    }
  }

  std::optional<std::string_view> line;  ///< the first output's
  bool are_alike = true;
  bool is_end = false;

 private:
  std::vector<std::string_view> rests_;
};

char ascii_lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::optional<std::string> kept(std::optional<std::string_view> line) {
  return line ? std::optional<std::string>(*line) : std::nullopt;
}

template <class Same>
std::optional<different_line> first_different(const std::vector<std::string>& first,
                                              const std::vector<std::string>& second, Same are_same) {
  alike_lines a(first), b(second);
  for (std::size_t number = 1;; ++number) {
    a.step();
    b.step();
    if (a.is_end && b.is_end) return {};
    if (a.are_alike && b.are_alike && !are_same(a.line, b.line))
      return different_line{number, kept(a.line), kept(b.line)};
  }
}

/// What the machine says of its device, where it depends on the warp size; with a word of the line that such a number
/// is about. A result may be one of these numbers by chance.
struct device_number {
  std::string_view with_32, with_64, word;
};
constexpr device_number device_numbers[] = {
    {"32", "64", "warp size"}, {"32", "64", "warpsize"},   {"32", "64", "wavefront size"},   {"11", "9", "major"},
    {"11.0", "9.0", "capab"},  {"1100", "910", "gcnarch"}, {"gfx1100", "gfx90a", "gfx1100"},
};

constexpr std::string_view word_characters = ".0123456789abcdefghijklmnopqrstuvwxyz";

std::string_view next_word(std::string_view& rest) {
  const std::string_view word = rest.substr(0, std::max<std::size_t>(rest.find_first_not_of(word_characters), 1));
  rest.remove_prefix(std::min(word.size(), rest.size()));
  return word;
}

/// In lower case, with blanks in place of what may stand between two words.
std::string simple(std::string_view line) {
  std::string text(line);
  for (char& letter : text) letter = letter == '_' || letter == '-' ? ' ' : ascii_lower(letter);
  return text;
}

/// Whether two lines, of 32 and of 64 lanes, differ in nothing but what the machine says of its device.
bool are_alike_but_for_device(std::string_view with_32, std::string_view with_64) {
  const std::string one = simple(with_32), other = simple(with_64);
  std::string_view rest = one, other_rest = other;
  while (!rest.empty() && !other_rest.empty()) {
    const std::string_view word = next_word(rest), other_word = next_word(other_rest);
    const auto is_of_device = [&](const device_number& each) {
      return word == each.with_32 && other_word == each.with_64 && one.find(each.word) != one.npos;
    };
    // Its name is "CPU, 32 lanes (…)".
    const bool is_name = word == "32" && other_word == "64" && one.find("cpu, 32 lanes") != one.npos;
    if (word != other_word && !is_name &&
        std::none_of(std::begin(device_numbers), std::end(device_numbers), is_of_device))
      return false;
  }
  return rest.empty() && other_rest.empty();
}

}  // namespace

std::optional<different_line> difference(const std::vector<std::string>& first,
                                         const std::vector<std::string>& second) {
  return first_different(first, second, [](const auto& one, const auto& other) { return one == other; });
}

std::optional<different_line> difference_but_for_device(const std::vector<std::string>& first,
                                                        const std::vector<std::string>& second) {
  return first_different(first, second, [](const auto& one, const auto& other) {
    return one == other || (one && other && are_alike_but_for_device(*one, *other));
  });
}

}  // namespace warpz
