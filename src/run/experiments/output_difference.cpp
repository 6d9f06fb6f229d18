// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/output_difference.hpp"

#include <algorithm>
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

std::optional<std::string> kept(std::optional<std::string_view> line) {
  return line ? std::optional<std::string>(*line) : std::nullopt;
}

}  // namespace

std::optional<different_line> difference(const std::vector<std::string>& first,
                                         const std::vector<std::string>& second) {
  alike_lines a(first), b(second);
  for (std::size_t number = 1;; ++number) {
    a.step();
    b.step();
    if (a.is_end && b.is_end) return {};
    if (a.are_alike && b.are_alike && a.line != b.line) return different_line{number, kept(a.line), kept(b.line)};
  }
}

}  // namespace warpz
