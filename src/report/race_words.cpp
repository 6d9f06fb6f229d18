// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/race_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/finding_words.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// What the two lanes shown have in common.
warpz_relation shown_relation(const warpz_finding& record) {
  const auto groups = groups_of(record);
  if (groups.size() != 2) return WARPZ_TWO_BLOCKS;
  if (!std::equal(std::begin(groups[0].block), std::end(groups[0].block), groups[1].block)) return WARPZ_TWO_BLOCKS;
  return groups[0].warp != groups[1].warp ? WARPZ_ONE_BLOCK : WARPZ_ONE_WARP;
}

bool is_at_one_line(const warpz_finding& record) {
  const auto groups = groups_of(record);
  return groups.size() == 2 && groups[0].place.line != 0 && groups[0].place.line == groups[1].place.line &&
         bounded(groups[0].place.file) == bounded(groups[1].place.file);
}

bool is_each(const warpz_finding& record, warpz_lane_state state) {
  const auto groups = groups_of(record);
  return std::all_of(groups.begin(), groups.end(), [state](const auto& each) { return each.state == state; });
}

bool is_any(const warpz_finding& record, warpz_lane_state state) {
  const auto groups = groups_of(record);
  return std::any_of(groups.begin(), groups.end(), [state](const auto& each) { return each.state == state; });
}

/// The barrier that lanes of this relation need.
std::string_view barrier_for(std::uint32_t relation) {
  return relation == WARPZ_ONE_WARP ? "__syncwarp()" : "__syncthreads()";
}

std::string fix_of_loop(const warpz_finding& record) {
  const warpz_place& at = record.ordered_at;
  return fmt::format(
      "The {} at {}:{} orders the two within a round, not from one round to the\n"
      "  next. Put {} at the end of the loop.",
      printable(bounded(at.operation)), printable(bounded(at.file)), at.line, barrier_for(record.relation));
}

/// Each lane reads what another one writes at the same line: `a[i] = a[j]`.
std::string fix_in_place(const warpz_finding& record) {
  if (record.relation == WARPZ_TWO_BLOCKS) {
    return "Blocks run in any order: write to another buffer than the one that is read.";
  }
  return fmt::format("Let all lanes read first, each into a variable of its own, then {}, then write.",
                     barrier_for(record.relation));
}

}  // namespace

std::string race_rule(const warpz_finding& record) {
  if (record.pattern == WARPZ_RACE_CHECKED_READ)
    return "a lane reads without an atomic what others change by atomics; its compare-and-swap checks the value";
  if (record.pattern == WARPZ_RACE_FORWARDED_READ)
    return "a lane overwrites what another lane has read and passed to it by a shuffle, which orders no memory";
  if (record.pattern == WARPZ_RACE_VOLATILE_FLAG)
    return "a lane polls by a volatile read what another lane writes, where C++ wants atomics";
  if (record.pattern == WARPZ_RACE_NO_FENCE)
    return "a lane accesses what another block has handed over by an atomic, behind a barrier in place of a fence";
  if (record.pattern == WARPZ_RACE_BEHIND_ATOMIC)
    return "a lane accesses without an atomic what others have changed by atomics, behind an atomic of its own";
  if (record.pattern == WARPZ_RACE_UNUSED_VALUE)
    return "a lane reads what another one writes, and nothing orders the two; but nothing depends on what it reads";
  std::string_view who = "lanes";
  if (record.group_count == 2) {
    const warpz_relation relation = shown_relation(record);
    who = relation == WARPZ_TWO_BLOCKS  ? "two blocks"
          : relation == WARPZ_ONE_BLOCK ? "two warps of one block"
                                        : "two lanes of one warp";
  }
  if (record.severity == WARPZ_WARNING) return fmt::format("{} write the same value at the same time", who);
  return fmt::format("{} access the same memory, and nothing orders them", who);
}

std::string race_fix(const symbolized_finding& finding) {
  const warpz_finding& record = finding.record;
  if (finding.repair && !finding.repair->advice.empty()) return finding.repair->advice;
  if (record.pattern == WARPZ_RACE_CHECKED_READ) {
    return "Read it by an atomic, too, such as atomicOr(p, 0). Or begin with any value: the first\n"
           "  compare-and-swap returns the right one.";
  }
  if (record.pattern == WARPZ_RACE_FORWARDED_READ) {
    return "It works as long as the value is read before it is passed. Put __syncwarp() (or warpz::syncwarp()\n"
           "  of warpz/sync.hpp) between the shuffle and the write, and no rule is broken.";
  }
  if (record.pattern == WARPZ_RACE_VOLATILE_FLAG) {
    return "It works: compilers for NVIDIA's and AMD's GPUs make such a volatile access atomic. So that no rule\n"
           "  is broken, write by atomicExch(p, value), and poll by atomicAdd(p, 0).";
  }
  if (record.pattern == WARPZ_RACE_NO_FENCE) {
    return "Put __threadfence() between the atomic, or the barrier behind it, and the access: the counterpart of\n"
           "  the other block's fence. Published kernels leave it out, and some have failed on AMD's GPUs.";
  }
  if (record.pattern == WARPZ_RACE_BEHIND_ATOMIC) {
    return is_any(record, WARPZ_LANE_WROTE)
               ? "It works where the lane's own atomic has shown that all others are done. So that no rule is broken,\n"
                 "  set it by atomicExch(p, value), or before the launch."
               : "It works where the lane's own change has shown that all others are done. Then use what that\n"
                 "  change has returned.";
  }
  if (record.pattern == WARPZ_RACE_UNUSED_VALUE) {
    return "Read it only where the value is used, such as in the branch that needs it.";
  }
  if (record.pattern == WARPZ_RACE_UPDATE) {
    return "Both read the element and write it again, and one of the two updates is lost. Use an atomic\n"
           "  (atomicAdd, atomicMax), or give each lane an element of its own.";
  }
  if (is_any(record, WARPZ_LANE_ATOMIC) && record.relation == WARPZ_TWO_BLOCKS) {
    return is_any(record, WARPZ_LANE_WROTE) ? "Blocks run in any order. Set it before the launch, as by hipMemset."
                                            : "Blocks run in any order. Read it in the next launch, or by an atomic.";
  }
  if (is_any(record, WARPZ_LANE_ATOMIC)) {
    return "An atomic orders only itself. Make the other access atomic, too, or put a barrier between the two.";
  }
  if (finding.in_next_round) return fix_of_loop(record);
  if (is_each(record, WARPZ_LANE_WROTE) && (is_at_one_line(record) || record.relation == WARPZ_TWO_BLOCKS))
    return "Let one lane write it, or give each lane an element of its own.";
  if (is_at_one_line(record)) return fix_in_place(record);
  switch (record.relation) {
    case WARPZ_ONE_WARP:
      return "Put __syncwarp() between them (or warpz::syncwarp() of warpz/sync.hpp). A shuffle or a vote\n"
             "  brings lanes together but does not order memory.";
    case WARPZ_ONE_BLOCK:
      return "Put __syncthreads() between them, where all threads of the block arrive. Where one warp waits for "
             "another\n"
             "  one by a flag, put __threadfence_block() behind the write and before the read.";
    default:
      return "Blocks run in any order: let none read what another one writes in the same launch. Write to memory of\n"
             "  its own, and read that in the next launch.";
  }
}

std::string_view wider_relation_text(const warpz_finding& record) {
  if (record.relation <= shown_relation(record)) return {};
  return record.relation == WARPZ_TWO_BLOCKS ? "likewise between lanes of different blocks"
                                             : "likewise between lanes of different warps";
}

}  // namespace warpz
