// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that a team has looked at and accepted: a file with a line for each.
//
//   # The lesson shows the lost update.
//   data_race: histogram.hip:12
//   data_race: histogram.hip:12 | counts[bin] += 1;
//
// A line consists of the finding's kind and a glob for its place: file:line or file, with or without the folders before
// it, or the name of the kernel or of a function on its stack. A glob for the line's text may follow: then the text
// counts, and the line may have moved. `#` begins a comment. The comment behind a line or
// right above it is the reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "findings/outcome.hpp"

namespace warpz {

class suppressions {
 public:
  suppressions() = default;

  /// Adds the lines of a file that this option names. Throws error(bad_input) with the line's number where a line is
  /// not as above, or names a kind that ends the kernel: without a result there is nothing to accept.
  void read(std::string_view option, const std::string& file);

  /// From now on each finding that no line matches adds a line, and so matches it; but none of a kind that ends the
  /// kernel. `file` is where the lines will stand.
  void record(const std::string& file) { recorded_in_ = file; }

  /// The lines that were added, as a file of them.
  std::string recorded_text() const;
  std::size_t recorded_count() const;

  /// The first line that matches the finding, if any. It then counts as used.
  std::optional<suppressed_by> match(const symbolized_finding& found);

  /// A sentence for each line of this option's file that was never used.
  std::vector<std::string> unused(std::string_view option) const;

 private:
  struct entry {
    std::uint32_t kind;
    std::string pattern;
    std::string code;  ///< a glob for the line's text; empty: the line's number counts
    std::string text;  ///< as it stands in the file
    suppressed_by place;
    std::string option;
    bool used = false;
  };
  static entry read_line(std::string_view line, const suppressed_by& at, std::string_view option);
  std::optional<suppressed_by> record(const symbolized_finding& found);

  std::vector<entry> entries_;
  std::string recorded_in_;  ///< empty: nothing is recorded
};

}  // namespace warpz
