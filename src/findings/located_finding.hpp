// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of several runs of the same code, and which of them are the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abi/finding.h"

namespace warpz {

/// A finding, and where the module lay in the process that it is about.
struct located_finding {
  warpz_finding record;
  std::uint64_t module_base;
  std::uint64_t schedule = 0;           ///< the seed of the order in which it was found; 0: ascending
  unsigned block_threads = 0;           ///< of the blocks that it was found in; 0: those of the first run
  std::vector<std::string> notes = {};  ///< further lines
};

/// Adds what another order has shown, unless the same is known from between the same places, or there are many.
void add_unless_known(std::vector<located_finding>& found, const located_finding& one);

}  // namespace warpz
