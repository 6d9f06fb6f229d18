// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a finding is in the source, for reports that are read beside it.
#pragma once

#include <string>
#include <vector>

#include "findings/outcome.hpp"

namespace warpz {

/// A place in the source, and what the lanes do there.
struct finding_place {
  std::string file;
  unsigned line = 0;
  std::string text;
};

/// The known places of a finding, the main one first.
std::vector<finding_place> places_of(const symbolized_finding& finding);

/// Where the parties stand whose order makes the finding show; empty: that is not known.
std::vector<finding_place> schedule_places_of(const symbolized_finding& finding);

/// "mine.hip:4: data race", "mine.hip:4: data race (warning)"; with `file` alone where no place is known.
std::string place_and_kind(const symbolized_finding& finding, const std::string& file);

/// Such a line for each finding that is to be mended: for those that no file suppresses, and no puzzle is about.
std::string places_text(const outcome& result, const std::string& file);

}  // namespace warpz
