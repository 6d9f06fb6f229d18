// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run whose costs are counted for --counters.
#pragma once

#include "counters/read_costs.hpp"
#include "system/shared_memory.hpp"

namespace warpz {

/// The memory in which a run's costs are counted. It has to exist before the process of the run starts.
class cost_counting {
 public:
  /// Throws error(bad_input) where there is no memory.
  cost_counting();

  void* record() const { return &*record_; }
  run_costs read(const code_location& code, unsigned warp_size) const { return read_costs(*record_, code, warp_size); }

 private:
  os::shared_memory<warpz_cost_record> record_;
};

}  // namespace warpz
