// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that a team has looked at and accepted: a file with a line for each.
//
//   # The lesson shows the lost update.
//   data_race: histogram.hip:12
//
// A line consists of the finding's kind and a glob for its place: file:line or file, with or without the folders before
// it, or the name of the kernel or of a function on its stack. `#` begins a comment. The comment behind a line or right
// above it is the reason.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "findings/outcome.hpp"

namespace warpz {

class suppressions {
 public:
  suppressions() = default;

  /// Reads a file. Throws error(bad_input) with the line's number where a line is not as above, or names a kind that
  /// ends the kernel: without a result there is nothing to accept.
  explicit suppressions(const std::string& file);

  /// The first line that matches the finding, if any. It then counts as used.
  std::optional<suppressed_by> match(const symbolized_finding& found);

  /// A sentence for each line that was never used.
  std::vector<std::string> unused() const;

 private:
  struct entry {
    std::uint32_t kind;
    std::string pattern;
    std::string text;  ///< as it stands in the file
    suppressed_by place;
    bool used = false;
  };
  entry read_line(std::string_view line, const suppressed_by& at) const;

  std::vector<entry> entries_;
};

}  // namespace warpz
