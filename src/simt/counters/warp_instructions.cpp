// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/counters/warp_instructions.hpp"

#include <algorithm>

namespace simt::counters {

noted_access warp_instructions::add(const instruction_place& place, unsigned lane, std::uint64_t address,
                                    unsigned bytes) {
  place_executions& executions = places_[place];
  const std::size_t number = executions.done_by[lane];
  if (number == executions.lanes.size()) {
    if (executions_ == max_executions) return {};
    ++executions_;
    executions.lanes.push_back(0);
    executions.bytes.push_back(0);
    executions.addresses.resize(executions.addresses.size() + warp_size_);
  }
  ++executions.done_by[lane];
  lanes_ |= lane_mask{1} << lane;
  executions.lanes[number] |= lane_mask{1} << lane;
  executions.bytes[number] = static_cast<std::uint8_t>(std::max<unsigned>(executions.bytes[number], bytes));
  executions.addresses[number * warp_size_ + lane] = address;
  return {&executions, number};
}

}  // namespace simt::counters
