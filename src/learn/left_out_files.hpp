// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels' files in a folder of solutions that are no puzzle's: named otherwise, or put elsewhere. They are told, as
// they would be missed without a word.
#pragma once

#include <string>
#include <vector>

namespace warpz {

struct left_out_file {
  std::string name;   ///< from the folder on
  std::string meant;  ///< the names that may be meant, such as "vote.hip"; mostly empty or one
};

/// In the order of their names; with `is_deep`, those in the folders of that folder, too.
std::vector<left_out_file> left_out_files(const std::string& folder, bool is_deep);

/// "FOLDER/vot.hip is left out: no puzzle has a file of this name. Did you mean vote.hip?"
std::string text_of(const left_out_file& one, const std::string& folder);

}  // namespace warpz
