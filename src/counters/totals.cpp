// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counters/totals.hpp"

namespace warpz {

total_costs total_of(const kernel_costs& costs) {
  total_costs total;
  for (const line_cost& each : costs.lines) {
    total.instructions += each.instructions;
    total.lanes += each.lanes;
    if (each.kind == WARPZ_COST_COLLECTIVE) total.collectives += each.instructions;
    if (each.kind == WARPZ_COST_BARRIER) total.barriers += each.instructions;
    if (each.kind == WARPZ_COST_ATOMIC) {
      total.atomics += each.instructions;
      total.serial += each.serial;
    }
    if (!each.is_access()) continue;
    if (each.is_shared) {
      total.shared.passes += each.needed;
      total.shared.fewest += each.fewest;
    } else {
      total.global.transactions += each.needed;
      total.global.fewest += each.fewest;
      total.global.cache_lines += each.cache_lines;
    }
  }
  return total;
}

std::string_view rules_for(unsigned warp_size) { return warp_size == 64 ? "amd" : "nvidia"; }

unsigned transaction_bytes(unsigned warp_size) { return warp_size == 64 ? 64 : 32; }

std::string_view name_of(warpz_cost_kind kind) {
  switch (kind) {
    case WARPZ_COST_LOAD:
      return "load";
    case WARPZ_COST_STORE:
      return "store";
    case WARPZ_COST_ATOMIC:
      return "atomic";
    case WARPZ_COST_COLLECTIVE:
      return "collective";
    case WARPZ_COST_BARRIER:
      break;
  }
  return "barrier";
}

}  // namespace warpz
