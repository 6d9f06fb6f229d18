// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/warp_waits.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "simt/check/launch_digest.hpp"
#include "simt/check/reports.hpp"

namespace simt::check {
namespace {

/// By all blocks, of which one runs at a time.
std::uint64_t& all_changes() {
  static std::uint64_t count = 0;
  return count;
}

lane_mask others_of(const fiber& self, lane_mask lanes) { return lanes & ~bit(self.lane_id); }

}  // namespace

/// The newest one is mostly looked for.
std::size_t warp_waits::lanes_by_visit::place_of(std::uint64_t number) const {
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (entries_[i].first == number) return i;
  }
  return entries_.size();
}

void warp_waits::lanes_by_visit::add(std::uint64_t number, lane_mask lane) {
  const std::size_t place = place_of(number);
  if (place == entries_.size()) entries_.emplace_back(number, 0);
  entries_[place].second |= lane;
}

void warp_waits::lanes_by_visit::remove(std::uint64_t number, lane_mask lane) {
  const std::size_t place = place_of(number);
  if (place == entries_.size()) return;
  entries_[place].second &= ~lane;
  if (entries_[place].second == 0) entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(place));
}

lane_mask warp_waits::lanes_by_visit::of(std::uint64_t number) const {
  const std::size_t place = place_of(number);
  return place == entries_.size() ? 0 : entries_[place].second;
}

std::uint64_t warp_waits::visit_counts::next(std::uint64_t loop) {
  const auto known =
      std::find_if(counts_.begin(), counts_.end(), [loop](const auto& each) { return each.first == loop; });
  if (known != counts_.end()) return ++known->second;
  counts_.emplace_back(loop, 1);
  return 1;
}

void warp_waits::lane_loops::set_left(unsigned place, std::uint64_t number, bool has_been) {
  left[place] = number;
  has_been_in[place] = has_been;
  left_bits = 0;
  for (const std::uint64_t each : left) left_bits |= bit(each % 64);
}

unsigned warp_waits::lane_loops::place_of(std::uint64_t number) const {
  // Mostly it is not there, and this is asked for each visit that any lane of the warp is in.
  if ((left_bits & bit(number % 64)) == 0) return remembered;
  return static_cast<unsigned>(std::find(std::begin(left), std::end(left), number) - std::begin(left));
}

std::size_t warp_waits::lane_loops::visits_of_look() const {
  std::size_t count = inside.size();
  while (count != 0 && inside[count - 1].number != looks_in) --count;
  return count;
}

bool warp_waits::lane_loops::has_changed_since(unsigned place, std::uintptr_t changed) const {
  // Places are taken in turn.
  const unsigned passed = next_left - (next_left - 1 - place) % remembered;
  return std::any_of(std::begin(changes), std::end(changes),
                     [&](const own_change& each) { return each.address == changed && each.left >= passed; });
}

void warp_waits::begin_block(checked_block& block, std::uint64_t /*number*/) {
  block_ = block.current;
  in_trial_ = block.in_trial;
  if (!std::exchange(is_used_, false) && lanes_.size() == block_->lane_count()) return;
  lanes_.assign(block_->lane_count(), {});
  warps_.assign(block_->warp_count(), {});
}

std::uint64_t warp_waits::next_visit(std::uint64_t loop) {
  using launch_digest::mixed;
  lane_loops& self = of_running();
  if (self.inside.empty()) return mixed(loop, self.begun.next(loop));
  visit& around = self.inside.back();
  return mixed(mixed(mixed(loop, around.number), around.round), around.begun.next(loop));
}

void warp_waits::enter_loop(std::uint64_t loop) {
  const std::uint64_t number = next_visit(loop);
  of_running().inside.push_back({loop, number, 0, {}});
  const fiber& self = checked_block::running();
  warps_[self.warp->index].inside.add(number, bit(self.lane_id));
}

void warp_waits::note_left(lane_loops& self, std::uint64_t number, bool has_been_in) {
  const unsigned place = self.next_left++ % lane_loops::remembered;
  const fiber& running = checked_block::running();
  lanes_by_visit& left = warps_[running.warp->index].left;
  if (self.next_left > lane_loops::remembered) left.remove(self.left[place], bit(running.lane_id));
  left.add(number, bit(running.lane_id));
  self.set_left(place, number, has_been_in);
}

void warp_waits::pass_loop(std::uint64_t loop) { note_left(of_running(), next_visit(loop), false); }

void warp_waits::repeat_loop(std::uint64_t loop) {
  lane_loops& self = of_running();
  if (self.inside.empty() || self.inside.back().loop != loop) return;
  ++self.inside.back().round;
  self.inside.back().begun.clear();
}

void warp_waits::leave_loop(std::uint64_t loop) {
  lane_loops& self = of_running();
  if (self.inside.empty() || self.inside.back().loop != loop) return;
  const std::uint64_t number = self.inside.back().number;
  const fiber& running = checked_block::running();
  warps_[running.warp->index].inside.remove(number, bit(running.lane_id));
  note_left(self, number, true);
  if (self.looks_in == number) forget_looks(running);
  self.inside.pop_back();
}

/// In a trial each block is on its own.
std::uint64_t warp_waits::others_changes() const { return in_trial_ ? 0 : all_changes() - changes_; }

bool warp_waits::lets_others_come() const {
  return !block_->permutes() && current_settings().rules != WARPZ_RULES_NVIDIA;
}

bool warp_waits::waits_behind_loop(unsigned rounds) const {
  if (!block_->is_lockstep() || rounds == lockstep_rounds) return false;
  const fiber& self = checked_block::running();
  return (warps_[self.warp->index].inside.of(lanes_[self.thread].left_last()) & others_of(self, self.warp->live())) !=
         0;
}

bool warp_waits::comes_first() const {
  if (!lets_others_come()) return false;
  const fiber& self = checked_block::running();
  const warp_loops& loops = warps_[self.warp->index];
  const std::uint64_t left = lanes_[self.thread].left_last();
  return (others_of(self, self.warp->ready) & ~loops.inside.of(left) & ~loops.left.of(left)) != 0;
}

/// Whether a lane that counts as waiting looks in that visit, or in a loop within it.
bool warp_waits::has_looked_in(const lane_loops& each, std::uint64_t number) {
  for (std::size_t i = each.visits_of_look(); i-- > 0;) {
    if (each.inside[i].number == number) return true;
  }
  return false;
}

bool warp_waits::have_others_looked() const {
  const fiber& self = checked_block::running();
  const warp_loops& loops = warps_[self.warp->index];
  const lane_loops& mine = lanes_[self.thread];
  return !loops.inside.any([&](std::uint64_t number, lane_mask lanes) {
    lane_mask rest = others_of(self, lanes & self.warp->ready);
    if (rest == 0 || mine.place_of(number) == lane_loops::remembered) return false;
    if ((rest & ~loops.waiting) != 0) return true;
    for (; rest != 0; rest &= rest - 1) {
      if (!has_looked_in(lanes_[self.warp->lanes[lowest(rest)].thread], number)) return true;
    }
    return false;
  });
}

void warp_waits::let_others_look() const {
  const fiber& self = checked_block::running();
  if (lanes_[self.thread].next_left == 0 || !lets_others_come()) return;
  for (unsigned rounds = 0; rounds != looking_rounds && !have_others_looked(); ++rounds) yield(site{self.last});
}

void warp_waits::note_access(const fiber& self, std::uintptr_t address, access_effect effect) {
  if (effect == access_effect::looked) look(self, address);
  if (effect != access_effect::changed) return;
  // Some atomics tell before they change the value, and some afterwards.
  let_others_look();
  change(self, address);
}

void warp_waits::forget_looks(const fiber& self) {
  lanes_[self.thread].looks = 0;
  warps_[self.warp->index].waiting &= ~bit(self.lane_id);
}

void warp_waits::look(const fiber& self, std::uintptr_t address) {
  is_used_ = true;
  lane_loops& mine = lanes_[self.thread];
  if (mine.inside.empty()) return;
  const std::uint64_t number = mine.inside.back().number;
  const std::uint64_t round = mine.inside.back().round;
  const std::uint32_t value = *reinterpret_cast<const volatile std::uint32_t*>(address & ~std::uintptr_t{3});
  const bool is_again = mine.address == address && mine.value == value && mine.looks_in == number;
  if (!is_again) forget_looks(self);
  if (mine.looks == 0 || mine.looks_in_round != round) {
    if (++mine.looks >= waiting_looks) warps_[self.warp->index].waiting |= bit(self.lane_id);
    mine.at = self.last;
    mine.code = self.last_code;
  }
  mine.address = address;
  mine.value = value;
  mine.looks_in = number;
  mine.looks_in_round = round;
  mine.is_current = true;
  mine.others_changes = others_changes();
  warps_[self.warp->index].looking |= bit(self.lane_id);
}

void warp_waits::change(const fiber& self, std::uintptr_t address) {
  is_used_ = true;
  const std::uint64_t changes_elsewhere = others_changes();
  ++changes_;
  if (!in_trial_) ++all_changes();
  lane_loops& giving = lanes_[self.thread];
  forget_looks(self);
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    for (lane_mask rest = warps_[w].looking; rest != 0; rest &= rest - 1) {
      lane_loops& each = lanes_[w * block_->warp_size() + lowest(rest)];
      if (each.looks == 0) warps_[w].looking &= ~bit(lowest(rest));
      if (each.address != address || !std::exchange(each.is_current, false)) continue;
      const bool waits = each.looks >= waiting_looks && each.others_changes == changes_elsewhere;
      if (!waits || w != self.warp->index) continue;
      // The one that gives may have left a loop around it, too.
      for (std::size_t i = each.visits_of_look(); i-- > 0;) {
        const unsigned place = giving.place_of(each.inside[i].number);
        if (place == lane_loops::remembered) continue;
        if (!giving.has_changed_since(place, address)) report(each, lowest(rest), self, giving.has_been_in[place]);
        break;
      }
    }
  }
  giving.changes[giving.next_change++ % lane_loops::remembered_changes] = {address, giving.next_left};
}

void warp_waits::report(const lane_loops& waiting, unsigned waiting_lane, const fiber& giving, bool is_behind) const {
  if (current_settings().rules == WARPZ_RULES_NVIDIA) return;
  const char* const rule = is_behind ? "" : "a lane waits for a lane of its own warp that is in another branch";
  publish_wait(*block_, rule, {giving.warp->index, waiting_lane, waiting.at, waiting.code},
               {giving.warp->index, giving.lane_id, giving.last, giving.last_code});
}

}  // namespace simt::check
