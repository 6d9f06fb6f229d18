// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CPU machine tells about a run, of one kernel or of a whole user program.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/module.h"

namespace warpz {

struct run_record {
  std::vector<warpz_finding> findings;
  bool stopped = false;                 ///< by the last finding: there is no result
  std::uint32_t findings_left_out = 0;  ///< further ones, for which there was no room
  bool went_on = false;                 ///< after a divergence, with memory of which nobody knows what it holds
  warpz_digest digest = {};             ///< of all launches
  std::uint64_t module_base = 0;        ///< where the code lay in the process that ran it
};

}  // namespace warpz
