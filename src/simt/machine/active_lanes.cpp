// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of the lanes that are active together. No call names these lanes: they are the ones that arrive.
#include <utility>

#include "simt/machine/block.hpp"

namespace simt {
namespace {

/// Whether `a`, of two collectives of active lanes, is resolved first.
bool goes_before(const pending_collective& a, const pending_collective& b) {
  const auto by_line = [](const pending_collective& one) { return one.source == participants::mask_source::none; };
  if (by_line(a) && by_line(b) && a.at.file == b.at.file) {
    // Of a function that several places call, the compiler has put copies there, in their order.
    return std::pair(a.at.line, a.code) < std::pair(b.at.line, b.code);
  }
  return a.serial < b.serial;
}

}  // namespace

lane* block::arrive_active(fiber& self, collective_op op, const site& at, participants::mask_source source,
                           const void* code) {
  warp& current_warp = *self.warp;
  current_warp.flush_batch(self);
  const lane_mask me = bit(self.lane_id);
  note_point(self, at);
  current_warp.ready &= ~me;
  pending_collective* joined = current_warp.find(0, op, at, code);
  if (joined == nullptr) {
    joined = &current_warp.collectives[current_warp.collective_count++];
    *joined = {op, at, 0, 0, ++current_warp.collectives_begun, 0, source, false, code};
  }
  joined->arrived |= me;
  constexpr unsigned arrivals_in_a_row = 64;
  if (may_split(*joined) && order_.below(arrivals_in_a_row) == 0) resolve_together(current_warp, *joined);
  return next_lane(self);
}

/// Resolves one collective of active lanes: the one that stands first in the source, if the rules go by lines; else the
/// one that began first. So lanes of both sides of a branch, and those that have left a loop, are together again behind
/// it.
void block::resolve_active(warp& current_warp) {
  current_warp.active_patience = 0;
  pending_collective* chosen = nullptr;
  for (unsigned i = 0; i < current_warp.collective_count; ++i) {
    pending_collective& each = current_warp.collectives[i];
    if (each.wanted == 0 && (chosen == nullptr || goes_before(each, *chosen))) chosen = &each;
  }
  if (chosen != nullptr) resolve_together(current_warp, *chosen);
}

/// Whether any part of the lanes that ask who is active may be together, as on hardware; in the ascending order all
/// are. With AMD's rules the active lanes are those of its lockstep.
bool block::may_split(const pending_collective& active) const {
  return order_.is_random() && active.source == participants::mask_source::contract &&
         settings_.rules != WARPZ_RULES_AMD;
}

/// Resolves a collective of active lanes, or of some of them; the others go on waiting.
void block::resolve_together(warp& current_warp, pending_collective& active) {
  pending_collective rest = active;
  if (may_split(active)) active.arrived = order_.part_of(active.arrived);
  rest.arrived &= ~active.arrived;
  resolve(current_warp, active);
  if (rest.arrived != 0) current_warp.collectives[current_warp.collective_count++] = rest;
}

}  // namespace simt
