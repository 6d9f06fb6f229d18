// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures how long one operation of the device library takes that waits for the one before it: --bench latency.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abi/settings.h"
#include "process/process_limits.hpp"
#include "run/backend.hpp"

namespace warpz {

/// The times of one operation over all measured chains, in the unit of the table.
struct latency {
  std::string_view operation;  ///< as a kernel calls it
  unsigned threads = 0;        ///< in its only block
  double median = 0, least = 0, greatest = 0;
  std::string claim;  ///< cycles, as the Mojo GPU Puzzles claim (puzzles/README.md); empty: they say nothing
};

/// What was measured on one device in one run of warpz.
struct latency_table {
  std::string backend, device;
  unsigned warp_size = 0;
  std::string_view unit;  ///< cycles; on the CPU machine, nanoseconds
  unsigned operations = 0, chains = 0;
  std::vector<latency> measured;
};

/// Throws error(no_device) where the device or the module fails.
latency_table measure_latency(chosen_device& device, const warpz_settings& settings, const process_limits& limits);

}  // namespace warpz
