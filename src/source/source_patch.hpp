// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes of a text by its tokens, several of them on one line too, as changes of its lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "findings/outcome.hpp"
#include "source/source_outline.hpp"

namespace warpz {

class source_patch {
 public:
  explicit source_patch(const source_outline& outline) : outline_(outline) {}

  /// In place of these tokens, which have to be of one line.
  void replace(std::size_t first, std::size_t last, std::string text);
  void put_before(std::size_t number, std::string text);
  void put_behind(std::size_t number, std::string text);
  /// Lines of their own, indented as the token's; where others stand beside it, in between.
  void put_lines_before(std::size_t number, const std::string& text);
  void put_lines_behind(std::size_t number, const std::string& text);

  void clear();

  /// Nothing where tokens of several lines were replaced.
  std::optional<std::vector<line_edit>> edits() const;

 private:
  struct change {
    std::size_t begin, end;  ///< in the text
    unsigned line;
    std::string text;
  };

  void change_line(std::size_t begin, std::size_t end, unsigned line, std::string text);
  void put_lines(line_edit edit);
  std::string indented(std::size_t number, const std::string& text) const;

  const source_outline& outline_;
  std::vector<change> changes_;
  std::vector<line_edit> lines_;
  bool is_possible_ = true;
};

}  // namespace warpz
