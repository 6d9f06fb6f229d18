// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that a team has looked at and accepted: a file with a line for each.
//
//   # The lesson shows the lost update.
//   data_race: histogram.hip:12
//
// A line has the finding's kind and a glob for its place: file:line or file, with or without the folders before it,
// or the name of the kernel or of a function on its stack. `#` begins a comment; the one behind a line or right above
// it is the reason.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "findings/outcome.hpp"

namespace warpz {

class suppressions {
 public:
  /// The kind of this name; 0 where there is none.
  using kind_lookup = std::uint32_t (*)(std::string_view name);

  suppressions() = default;

  /// Reads a file. Throws error(bad_input) with the line's number where it is not as above, or names a kind that ends
  /// the kernel: without its result there is nothing to accept.
  suppressions(const std::string& file, kind_lookup kind_named);

  /// The first line that fits the finding, which then counts as used; nothing where there is none.
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
  entry read_line(std::string_view line, const suppressed_by& at, kind_lookup kind_named) const;

  std::vector<entry> entries_;
};

}  // namespace warpz
