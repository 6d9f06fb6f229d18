// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over the lines of a kernel, and the names of what is counted.
#pragma once

#include <cstdint>
#include <string_view>

#include "findings/line_costs.hpp"

namespace warpz {

struct total_costs {
  struct {
    std::uint64_t passes = 0;
    std::uint64_t fewest = 0;
  } shared = {};
  struct {
    std::uint64_t transactions = 0;
    std::uint64_t fewest = 0;
    std::uint64_t cache_lines = 0;
  } global = {};
  std::uint64_t atomics = 0;
  std::uint64_t serial = 0;  ///< steps of these
  std::uint64_t collectives = 0;
  std::uint64_t barriers = 0;  ///< that warps wait at
  std::uint64_t instructions = 0;
  std::uint64_t lanes = 0;  ///< active ones, of all instructions
};

total_costs total_of(const kernel_costs& costs);

/// Whose rules hold for warps of this size: "nvidia" or "amd".
std::string_view rules_for(unsigned warp_size);

/// Bytes of a transaction of global memory by these rules.
unsigned transaction_bytes(unsigned warp_size);

/// "load", "store", "atomic", "collective" or "barrier".
std::string_view name_of(warpz_cost_kind kind);

}  // namespace warpz
