// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/passed_reads.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace simt::check {

void passed_reads::note_results(block_clocks& clocks, const warp& home, lane_mask group) {
  const collective_slots& slots = home.operands;
  for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    const std::uint64_t source = slots.argument[lane];
    const bool is_passed = source < slots.warp_size && source != lane && (group >> source & 1) != 0 &&
                           slots.result[lane] == slots.value[source];
    if (!is_passed) continue;
    lane_receipts& own = lanes_[home.lanes[lane].thread];
    const std::uint32_t from = home.lanes[source].thread;
    own.latest[own.count++ % max_receipts] = {slots.result[lane], from, clocks.of(from).reads.count()};
  }
}

bool passed_reads::has_passed(const lane_clock& reader, std::uint32_t writer, std::uintptr_t address,
                              std::size_t size) const {
  const lane_receipts& to = lanes_[writer];
  std::optional<std::uint64_t> last;  // the number of its last read there
  for (std::uint64_t i = reader.reads.count(); i-- > reader.reads.first_known() && !last;) {
    const latest_reads::read each = reader.reads.at(i);
    if (each.address + each.size <= address || address + size <= each.address) continue;
    if (each.address != address || each.size != size) return false;
    last = i;
  }
  if (!last || size > sizeof(std::uint64_t)) return false;
  const auto is_that_value = [&](const receipt& each) {
    return each.from == reader.thread && each.reads_there > *last &&
           std::memcmp(&each.value, reinterpret_cast<const void*>(address), size) == 0;
  };
  return std::any_of(to.latest, to.latest + std::min<std::uint64_t>(to.count, max_receipts), is_that_value);
}

}  // namespace simt::check
