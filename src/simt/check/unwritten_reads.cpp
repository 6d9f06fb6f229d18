// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/unwritten_reads.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "simt/check/reports.hpp"

namespace simt::check::unwritten_reads {
namespace {

/// So many reads are remembered, of all findings together. Others are judged like the remembered reads of their
/// finding.
constexpr std::size_t max_reads = 4096;

struct unwritten {
  std::uint32_t record;  ///< the finding's
  access_finding found;
};

struct tally {
  std::size_t open = 0;       ///< reads that may still turn out to be too early
  bool is_confirmed = false;  ///< one of them was not
};

/// By address. Not locked: checked blocks run one at a time.
std::multimap<std::uintptr_t, unwritten>& reads() {
  static auto* const all = new std::multimap<std::uintptr_t, unwritten>;
  return *all;
}

std::vector<tally>& tallies() {
  static auto* const by_record = new std::vector<tally>;
  return *by_record;
}

void confirm(const unwritten& one) {
  tally& count = tallies()[one.record];
  --count.open;
  count.is_confirmed = true;
  set_effect(one.record, false);
}

}  // namespace

void add(const block& current, const access_finding& found) {
  const std::uint32_t record = publish(found, current);
  if (record == no_record) return;
  if (record >= tallies().size()) tallies().resize(record + 1);
  tally& count = tallies()[record];
  if (count.is_confirmed || reads().size() == max_reads) return;
  ++count.open;
  set_effect(record, false);
  reads().emplace(found.address, unwritten{record, found});
}

void explain(const checked_block& block, std::uintptr_t address, std::size_t size) {
  constexpr std::size_t max_size = 16;
  for (auto each = reads().lower_bound(address - max_size); each != reads().end() && each->first < address + size;) {
    const unwritten one = each->second;
    if (one.found.address + one.found.size <= address) {
      ++each;
      continue;
    }
    each = reads().erase(each);
    tally& count = tallies()[one.record];
    --count.open;
    if (count.is_confirmed) continue;
    if (count.open == 0) {
      set_effect(one.record, true);
    } else if (is_example(one.record, one.found)) {
      // The finding shows a read that is still open.
      const auto next = std::find_if(reads().begin(), reads().end(),
                                     [&](const auto& read) { return read.second.record == one.record; });
      replace_example(one.record, next->second.found, *block.current);
    }
  }
}

void end_block() {
  for (auto each = reads().begin(); each != reads().end();) {
    if (!each->second.found.memory->of_block) {
      ++each;
      continue;
    }
    confirm(each->second);
    each = reads().erase(each);
  }
}

void begin_launch() {
  for (const auto& each : reads()) confirm(each.second);
  reads().clear();
}

void forget() {
  reads().clear();
  tallies().clear();
}

}  // namespace simt::check::unwritten_reads
