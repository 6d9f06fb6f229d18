// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of several runs of the same code, without duplicates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abi/finding.h"

namespace warpz {

/// A finding, and where the module was loaded in its process.
struct located_finding {
  warpz_finding record;
  std::uint64_t module_base;
  std::uint64_t schedule = 0;           ///< the seed of the order in which it was found; 0: ascending
  unsigned block_threads = 0;           ///< threads of the blocks that it was found in; 0: those of the first run
  std::vector<std::string> notes = {};  ///< further lines
};

/// Adds a finding of a run in another order, unless it is known already or there are too many.
void add_unless_known(std::vector<located_finding>& found, const located_finding& one);

}  // namespace warpz
