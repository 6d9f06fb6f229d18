// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source lines as compilers quote them: with the line's number, and a caret below the place.
#pragma once

#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "findings/outcome.hpp"

namespace warpz {

/// Whether source lines are quoted, and whether carets are colored.
enum class quoting { none, plain, colored };

/// How a finding is laid out.
struct text_style {
  quoting quotes = quoting::plain;
  std::size_t columns = std::numeric_limits<std::size_t>::max();  ///< of a line
};

/// The quotes of one finding: each line once, and only the first few.
class source_quotes {
 public:
  explicit source_quotes(const text_style& style) : style_(style) {}

  /// Two lines of text; empty where the line is not to be quoted. The caret points to `operation` where the line has
  /// it, else to the place's column.
  std::string next(const source_line& place, std::string_view operation = {});

 private:
  text_style style_;
  std::set<std::pair<std::string, unsigned>> quoted_;
};

}  // namespace warpz
