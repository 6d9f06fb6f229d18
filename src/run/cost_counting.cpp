// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/cost_counting.hpp"

#include "error.hpp"

namespace warpz {

cost_counting::cost_counting() {
  if (!record_) throw error(exit_code::bad_input, "--counters: there is not enough memory for the counts");
}

}  // namespace warpz
