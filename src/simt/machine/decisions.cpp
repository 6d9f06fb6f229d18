// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/machine/decisions.hpp"

#include <algorithm>

#include "abi/decision_order.hpp"
#include "abi/text.h"

namespace simt {
namespace {

/// A lane that waits for what a held one gives would wait for ever: so many turns later the held one goes on.
constexpr unsigned max_turns = 4096;

}  // namespace

void order_decisions::begin(warpz_schedule_record& record, bool records, const scope& domain, std::uint32_t parties) {
  record_ = &record;
  records_ = records;
  scope_ = domain;
  has_trail_ = !domain.of_blocks && record.trail_launch == domain.launch && record.trail_block == domain.block;
  points_.assign(parties, 0);
  hold_of_.assign(parties, not_held);
  holds_.clear();
  last_ = 0;
  begin_base();
  places_.clear();
  to_follow_.clear();
  if (records) return;
  if (!domain.of_blocks) places_.assign(parties, {{}, nullptr});
  const warpz_decision* const all = record.decisions;
  const warpz_decision* const end = all + std::min<std::uint64_t>(record.decision_count, WARPZ_MAX_DECISIONS);
  const warpz_decision sought{
      domain.launch, domain.of_blocks ? 1U : 0U, domain.of_blocks ? 0 : domain.block, 0, 0, 0, 0};
  const auto [first, last] = std::equal_range(all, end, sought, warpz::comes_before);
  begin_ = static_cast<std::uint64_t>(first - all);
  is_given_up_.assign(static_cast<std::size_t>(last - first), false);
  if (first == last) return;
  to_follow_.resize(parties);
  followed_.assign(parties, 0);
  for (const warpz_decision* each = first; each != last; ++each) {
    if (each->held < parties && each->first < parties)
      to_follow_[each->held].push_back(static_cast<std::uint32_t>(each - first));
  }
}

void order_decisions::begin_base() {
  kept_base_ = nullptr;
  base_next_ = base_end_ = nullptr;
  if (scope_.of_blocks) return;
  warpz_schedule_record& record = *record_;
  const auto count = std::min<std::uint32_t>(record.base_block_count, WARPZ_MAX_BASES);
  if (record.keeps_base != 0) {
    if (count == WARPZ_MAX_BASES) return;
    kept_base_ = &record.bases[record.base_block_count++];
    *kept_base_ = {scope_.launch, scope_.block, record.base_count, 0};
    return;
  }
  const warpz_base* const own = std::find_if(record.bases, record.bases + count, [&](const warpz_base& each) {
    return each.launch == scope_.launch && each.block == scope_.block;
  });
  if (own == record.bases + count || own->begin > WARPZ_MAX_TRAIL || own->count > WARPZ_MAX_TRAIL - own->begin) return;
  base_next_ = record.base + own->begin;
  base_end_ = base_next_ + own->count;
}

/// Blocks that wait for each other take turns: then it is kept of one of them, up to there.
void order_decisions::keep_base(std::uint32_t party) {
  std::uint64_t& count = record_->base_count;
  if (kept_base_->begin + kept_base_->count != count || count == WARPZ_MAX_TRAIL) {
    kept_base_ = nullptr;
    return;
  }
  record_->base[count++] = {party, points_[party]};
  ++kept_base_->count;
}

/// The first one in the ascending order that stands where it has to and may go on; if there is none, `usual`.
std::uint32_t order_decisions::next_in_base(std::uint32_t usual, const readiness& is_ready) {
  constexpr std::ptrdiff_t max_looked_at = 512;
  const auto parties = static_cast<std::uint32_t>(points_.size());
  while (base_next_ != base_end_ && (base_next_->thread >= parties || points_[base_next_->thread] > base_next_->point))
    ++base_next_;
  const warpz_passing* const end = base_next_ + std::min(base_end_ - base_next_, max_looked_at);
  for (const warpz_passing* each = base_next_; each != end; ++each) {
    if (each->thread < parties && points_[each->thread] == each->point && is_ready(each->thread)) return each->thread;
  }
  return usual;
}

void order_decisions::arrive(std::uint32_t party, const site& at, const void* code) {
  ++points_[party];
  if (!places_.empty()) places_[party] = {at, code};
}

std::uint32_t order_decisions::next(std::uint32_t usual, std::uint32_t chosen, const readiness& is_ready) {
  if (base_next_ != base_end_) usual = next_in_base(usual, is_ready);
  const bool is_returned = return_to_held(usual, is_ready);
  if (!records_) {
    const std::uint32_t going_on = follow(usual, is_returned, is_ready);
    explain_first(going_on);
    if (has_trail_) note_passing(going_on);
    if (kept_base_ != nullptr) keep_base(going_on);
    return going_on;
  }
  if (has_trail_) note_passing(chosen);
  if (chosen == usual) return usual;
  record(usual, chosen);
  push({usual, points_[usual], chosen, points_[chosen], 0});
  return chosen;
}

void order_decisions::push(const hold& one) {
  hold_of_[one.held] = static_cast<std::uint32_t>(holds_.size());
  holds_.push_back(one);
}

void order_decisions::pop() {
  const std::uint32_t held = holds_.back().held;
  holds_.pop_back();
  if (hold_of_[held] == holds_.size()) hold_of_[held] = not_held;
}

/// Ends the holds that are over. True if it is the turn of one that was held last, as `usual` then tells.
bool order_decisions::return_to_held(std::uint32_t& usual, const readiness& is_ready) {
  while (!holds_.empty()) {
    const hold last = holds_.back();
    const bool still_stands = points_[last.held] == last.held_at && is_ready(last.held);
    if (still_stands && !is_over(last)) return false;
    pop();
    if (!still_stands) continue;
    usual = last.held;
    return true;
  }
  return false;
}

/// One that is held for a party that passes several points has one decision.
void order_decisions::record(std::uint32_t held, std::uint32_t first) {
  if (last_ != 0) {
    warpz_decision& last = record_->decisions[last_ - 1];
    if (last.held == held && last.held_at == points_[held] && last.first == first &&
        last.first_at + 1 == points_[first]) {
      ++last.first_at;
      return;
    }
  }
  // Where checks are off, blocks that wait for each other run side by side.
  const std::uint64_t number = __atomic_fetch_add(&record_->decision_count, 1, __ATOMIC_RELAXED);
  if (number >= WARPZ_MAX_DECISIONS) {
    __atomic_fetch_add(&record_->left_out, 1, __ATOMIC_RELAXED);
    return;
  }
  record_->decisions[number] = {scope_.launch, scope_.of_blocks ? 1U : 0U, scope_.block, first, points_[first], held,
                                points_[held]};
  last_ = number + 1;
}

/// The next decision that holds this party where it stands; null: there is none.
const warpz_decision* order_decisions::decision_for(std::uint32_t party) {
  if (to_follow_.empty()) return nullptr;
  const std::vector<std::uint32_t>& own = to_follow_[party];
  for (std::uint32_t& next = followed_[party]; next < own.size(); ++next) {
    const warpz_decision& each = record_->decisions[begin_ + own[next]];
    if (each.held_at > points_[party]) return nullptr;
    if (each.held_at < points_[party] || is_given_up_[own[next]]) continue;
    if (points_[each.first] > each.first_at || each.first == party) continue;
    // Two cannot wait for each other.
    if (waits(each.first)) continue;
    return &each;
  }
  return nullptr;
}

/// Chooses the next party that is ready and waits for none. False where there is none.
bool order_decisions::go_on_elsewhere(std::uint32_t& usual, const readiness& is_ready) {
  const auto count = static_cast<std::uint32_t>(points_.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t party = (usual + i) % count;
    if (waits(party) || !is_ready(party)) continue;
    usual = party;
    return true;
  }
  return false;
}

std::uint32_t order_decisions::follow(std::uint32_t usual, bool is_returned, const readiness& is_ready) {
  const auto give_up = [&] {
    usual = holds_.back().held;
    is_given_up_[holds_.back().decision - begin_] = true;
    pop();
  };
  if (!is_returned && !holds_.empty()) {
    hold& last = holds_.back();
    if (last.first_stood != points_[last.first]) {
      last.first_stood = points_[last.first];
      last.turns = 0;
    }
    if (is_ready(last.first)) {
      usual = last.first;
    } else if (++last.turns > max_turns || !go_on_elsewhere(usual, is_ready)) {
      give_up();
    }
  }
  while (const warpz_decision* const decided = decision_for(usual)) {
    const auto number = static_cast<std::uint64_t>(decided - record_->decisions);
    push({usual, points_[usual], decided->first, decided->first_at, number, 0, points_[decided->first]});
    explain(number, usual, record_->held);
    explain(number, decided->first, record_->first);
    if (is_ready(decided->first)) {
      usual = decided->first;
    } else if (!go_on_elsewhere(usual, is_ready)) {
      give_up();
    }
  }
  return usual;
}

/// Writes down where a party of a decision stands.
void order_decisions::explain(std::uint64_t decision, std::uint32_t party, warpz_lane_group* groups) const {
  if (decision >= WARPZ_MAX_EXPLAINED) return;
  warpz_lane_group& group = groups[decision];
  group = {};
  group.state = points_[party] == 0 ? WARPZ_LANE_READY : WARPZ_LANE_YIELDED;
  const std::uint64_t number = scope_.of_blocks ? party : scope_.block;
  const std::uint64_t x = scope_.grid.x, y = scope_.grid.y;
  group.block[0] = static_cast<std::uint32_t>(number % x);
  group.block[1] = static_cast<std::uint32_t>(number / x % y);
  group.block[2] = static_cast<std::uint32_t>(number / x / y);
  if (scope_.of_blocks) return;
  group.warp = party / scope_.warp_size;
  group.lanes = lane_mask{1} << party % scope_.warp_size;
  const place& here = places_[party];
  group.code = reinterpret_cast<std::uintptr_t>(here.code);
  group.place.line = here.at.line;
  if (here.at.operation != nullptr)
    warpz_copy_beginning(group.place.operation, sizeof group.place.operation, here.at.operation);
  if (here.at.file != nullptr) warpz_copy_end(group.place.file, sizeof group.place.file, here.at.file);
}

/// Where the party is about to pass the point of a decision. Of the last few only: a whole order holds many at once.
void order_decisions::explain_first(std::uint32_t party) const {
  const auto last =
      holds_.rend() - holds_.rbegin() > WARPZ_MAX_EXPLAINED ? holds_.rbegin() + WARPZ_MAX_EXPLAINED : holds_.rend();
  for (auto each = holds_.rbegin(); each != last; ++each) {
    if (each->first == party && each->first_at == points_[party]) explain(each->decision, party, record_->first);
  }
}

void order_decisions::note_passing(std::uint32_t party) {
  const std::uint64_t number = record_->trail_count++;
  if (number < WARPZ_MAX_TRAIL) record_->trail[number] = {party, points_[party]};
}

}  // namespace simt
