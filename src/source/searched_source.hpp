// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source file that is read again to explain a finding.
#pragma once

#include <string>

namespace warpz {

struct searched_source {
  std::string name;  ///< as the user gave it, for reports
  std::string path;  ///< good in any folder
};

}  // namespace warpz
