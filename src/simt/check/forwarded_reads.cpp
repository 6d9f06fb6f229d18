// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/forwarded_reads.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "simt/instrumented.hpp"

namespace simt::check {

void forwarded_reads::note_results(const warp& current_warp, lane_mask group) {
  const collective_slots& slots = current_warp.operands;
  const std::uint32_t first_thread = current_warp.lanes[0].thread;
  for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    const std::uint64_t source = lane_request::of(slots.argument[lane]).lane;
    const bool is_forwarded = source < slots.warp_size && source != lane && (group >> source & 1) != 0 &&
                              slots.result[lane] == slots.value[source];
    if (!is_forwarded) continue;
    const std::uint32_t self = first_thread + lane, from = first_thread + static_cast<std::uint32_t>(source);
    lanes_[self].receipts[counts_[self].receipts++ % max_receipts] = {slots.result[lane], from, counts_[from].reads};
  }
}

bool forwarded_reads::has_forwarded(std::uint32_t reader, std::uint32_t writer, std::uintptr_t address,
                                    std::size_t size) const {
  const lane_values &from = lanes_[reader], &target = lanes_[writer];
  const std::uint32_t reads_done = counts_[reader].reads;
  std::optional<std::uint32_t> last;  // the number of its last read there
  const std::uint32_t known_reads = std::min(reads_done, max_reads);
  for (std::uint32_t i = 1; i <= known_reads && !last; ++i) {
    const read& each = from.reads[(reads_done - i) % max_reads];
    if (address + size <= each.address() || (!each.is_long() && each.address() + each.size() <= address)) continue;
    if (each.address() != address || each.size() != size) return false;
    last = reads_done - i;
  }
  if (!last || size > sizeof(std::uint64_t)) return false;
  const auto is_that_value = [&](const receipt& each) {
    return each.from == reader && each.reads_there > *last &&
           std::memcmp(&each.value, reinterpret_cast<const void*>(address), size) == 0;
  };
  const std::uint32_t known_receipts = std::min(counts_[writer].receipts, max_receipts);
  return std::any_of(target.receipts, target.receipts + known_receipts, is_that_value);
}

}  // namespace simt::check
