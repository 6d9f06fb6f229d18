// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a run of one kernel, or of a whole user program.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/module.h"
#include "system/mapped_file.hpp"

namespace warpz {

struct run_record {
  std::vector<warpz_finding> findings;
  bool stopped = false;                       ///< the last finding ended it, and there is no result
  std::uint32_t findings_left_out = 0;        ///< further ones, for which there was no room
  bool has_diverged = false;                  ///< it has continued after a divergence, with possibly invalid results
  warpz_digest digest = {};                   ///< a hash of all launches, and undefined values in them
  std::uint64_t module_base = 0;              ///< where the code lay in the process that ran it
  std::vector<os::mapped_file> modules = {};  ///< code that a program has loaded while it ran, as far as there was room
};

}  // namespace warpz
