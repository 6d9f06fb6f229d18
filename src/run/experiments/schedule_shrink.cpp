// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/schedule_shrink.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "abi/decision_order.hpp"
#include "abi/finding_identity.hpp"

namespace warpz {

bool schedule_shrink::shows(const run_record& ran) const {
  if (found_->record.kind == WARPZ_SCHEDULE_DEPENDENCE) return !ran.stopped && code_.has_other_result();
  const finding_identity sought = identity_of(found_->record, found_->module_base);
  return std::any_of(ran.findings.begin(), ran.findings.end(),
                     [&](const warpz_finding& each) { return identity_of(each, ran.module_base) == sought; });
}

effect schedule_shrink::run(warpz_perturbation perturbation) {
  using clock = std::chrono::steady_clock;
  if (replays_ >= max_replays_ || clock::now() > end_ || !code_.possible()) return effect::not_tried;
  ++replays_;
  record_->left_out = record_->trail_count = 0;
  for (std::size_t i = 0; i < WARPZ_MAX_EXPLAINED; ++i) record_->first[i].state = record_->held[i].state = 0;
  perturbation.decisions = &*record_;
  variation varied;
  varied.perturbation = perturbation;
  varied.name = "in another order";
  varied.timeout_seconds = timeout_;
  const auto begin = clock::now();
  const run_record& ran = code_.run(varied);
  // Some of the decisions may make lanes wait for ever.
  const std::chrono::duration<double> took = clock::now() - begin;
  if (!timeout_) timeout_ = std::max(2.0, 4 * took.count());
  module_base_ = ran.module_base;
  return shows(ran) ? effect::shows : effect::passes;
}

effect schedule_shrink::record_order(const symbolized_finding& found) {
  warpz_perturbation order{};
  order.schedule = found.schedule;
  record_->decision_count = 0;
  return run(order);
}

effect schedule_shrink::try_decisions(const decisions& some) {
  std::copy(some.begin(), some.end(), record_->decisions);
  record_->decision_count = some.size();
  return run({});
}

/// The ascending order, which has to be without the fault.
effect schedule_shrink::keep_base() {
  if (has_base_) return try_decisions({});
  record_->keeps_base = 1;
  record_->base_block_count = 0;
  record_->base_count = 0;
  const effect ascending = try_decisions({});
  record_->keeps_base = 0;
  has_base_ = ascending == effect::passes;
  return ascending;
}

schedule_shrink::decisions schedule_shrink::recorded() const {
  const std::uint64_t count = std::min<std::uint64_t>(record_->decision_count, WARPZ_MAX_DECISIONS);
  decisions all(record_->decisions, record_->decisions + count);
  // Those of one block stay in the order in which they were made.
  std::stable_sort(all.begin(), all.end(), comes_before);
  return all;
}

void schedule_shrink::shrink(symbolized_finding& found) {
  if (!record_ || findings_++ == limits_.findings) return;
  found_ = &found;
  replays_ = 0;
  max_replays_ = limits_.replays;
  take_trail();
  shrunk_schedule result;
  const auto end = [&](shrunk_schedule::end ended) {
    result.ended = ended;
    result.replays = replays_;
    found.shrunk = std::move(result);
  };
  const effect ascending = keep_base();
  const effect whole = record_order(found);
  result.of_order = record_->decision_count;
  if (ascending == effect::not_tried || whole == effect::not_tried) return end(shrunk_schedule::end::cut_short);
  if (record_->left_out != 0) return end(shrunk_schedule::end::too_long);
  decisions some = recorded();
  // Which lanes are active together is no matter of who goes first, nor is that a warp goes on in lockstep.
  if (ascending == effect::shows || whole == effect::passes || try_decisions(some) != effect::shows)
    return end(shrunk_schedule::end::not_shown);
  bool is_smallest = make_smaller(some, limits_.first_replays);
  if (!is_smallest || some.size() > 2) {
    const bool is_of_two = leave_two_lanes(some);
    if (is_of_two || !is_smallest) is_smallest = make_smaller(some, limits_.replays);
  }
  if (is_smallest && some.size() <= limits_.moved_decisions) {
    for (std::size_t i = 0; i < some.size(); ++i) move_to_where_it_matters(some, i);
    is_smallest = make_smaller(some, limits_.replays);
  }
  // The last run of all is the one that is told.
  max_replays_ = limits_.replays + 1;
  const effect last = try_decisions(some);
  if (last == effect::passes) return end(shrunk_schedule::end::not_shown);
  result.count = some.size();
  if (last == effect::shows) result.decisions = explained(some, found);
  end(is_smallest && last == effect::shows ? shrunk_schedule::end::smallest : shrunk_schedule::end::cut_short);
}

/// Leaves out what can be left out, with so many replays at most. Whether without any one decision the rest passes.
bool schedule_shrink::make_smaller(decisions& some, std::uint32_t replays) {
  max_replays_ = std::min(replays_ + replays, limits_.replays);
  auto [left, is_smallest] = smallest_part(std::move(some), [&](const decisions& part) { return try_decisions(part); });
  some = std::move(left);
  max_replays_ = limits_.replays;
  return is_smallest;
}

/// What the threads of a block have passed in the last run. The next one keeps no trail.
std::vector<warpz_passing> schedule_shrink::take_trail() {
  const std::uint64_t count = std::min<std::uint64_t>(record_->trail_count, WARPZ_MAX_TRAIL);
  record_->trail_launch = 0;
  record_->trail_block = ~std::uint64_t{0};
  return {record_->trail, record_->trail + count};
}

/// Looks for two lanes of the block that most is left of, which show the fault if they alone go on as in that order,
/// and all others in the ascending one. Many decisions may be left only because they let others be out of the way.
bool schedule_shrink::leave_two_lanes(decisions& some) {
  std::map<std::tuple<std::uint32_t, std::uint64_t>, std::size_t> blocks;
  for (const warpz_decision& each : some) blocks[{each.launch, each.block}] += each.of_blocks == 0 ? 1 : 0;
  const auto most =
      std::max_element(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == blocks.end() || most->second == 0) return false;
  const auto [launch, block] = most->first;
  record_->trail_launch = launch;
  record_->trail_block = block;
  const effect whole = record_order(*found_);
  const std::vector<warpz_passing> trail = take_trail();
  if (whole != effect::shows) return false;

  // First those that do most: the others have returned early.
  std::map<std::uint32_t, std::size_t> points;
  for (const warpz_passing& each : trail) ++points[each.thread];
  std::vector<std::pair<std::uint32_t, std::size_t>> lanes(points.begin(), points.end());
  std::stable_sort(lanes.begin(), lanes.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  lanes.resize(std::min(lanes.size(), limits_.lanes_in_pairs));
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    for (std::size_t j = i + 1; j < lanes.size(); ++j) {
      decisions pair;
      const warpz_passing* last = nullptr;
      for (const warpz_passing& each : trail) {
        if (each.thread != lanes[i].first && each.thread != lanes[j].first) continue;
        if (last != nullptr && last->thread != each.thread)
          pair.push_back({launch, 0, block, last->thread, last->point, each.thread, each.point});
        last = &each;
      }
      const effect tried = try_decisions(pair);
      if (tried == effect::not_tried) return false;
      if (tried != effect::shows) continue;
      some = std::move(pair);
      return true;
    }
  }
  return false;
}

/// The last of `end` changes of a decision with which all still show the fault: the first one, which is none, does. Of
/// changes that do so and then do not, the last one that does is found, if these take turns, too.
template <class Change>
std::size_t schedule_shrink::last_that_shows(decisions& some, std::size_t number, std::size_t end,
                                             const Change& change) {
  std::size_t good = 0;
  while (end > good + 1) {
    const std::size_t middle = good + (end - good) / 2;
    decisions changed = some;
    change(changed[number], middle);
    const effect tried = try_decisions(changed);
    if (tried == effect::not_tried) break;
    if (tried == effect::shows) {
      good = middle;
    } else {
      end = middle;
    }
  }
  change(some[number], good);
  return good;
}

/// A decision tells most where it is as small as can be: the party goes on as short as will do, and before the last one
/// that it has to come before.
void schedule_shrink::move_to_where_it_matters(decisions& some, std::size_t number) {
  if (some[number].of_blocks != 0) return move_held_blocks(some, number);
  move_held_lane(some, number);
}

void schedule_shrink::move_held_blocks(decisions& some, std::size_t number) {
  const warpz_decision decided = some[number];
  if (decided.first <= decided.held) return;
  last_that_shows(some, number, decided.first - decided.held, [&](warpz_decision& each, std::size_t i) {
    each.held = decided.held + static_cast<std::uint32_t>(i);
  });
}

void schedule_shrink::move_held_lane(decisions& some, std::size_t number) {
  const warpz_decision decided = some[number];
  record_->trail_launch = decided.launch;
  record_->trail_block = decided.block;
  const effect others = try_decisions(detail::without(some, number, number + 1));
  const std::vector<warpz_passing> trail = take_trail();
  if (others != effect::passes) return;
  const auto passing = [&](std::uint32_t thread, std::uint32_t point) {
    return std::find_if(trail.begin(), trail.end(),
                        [&](const warpz_passing& each) { return each.thread == thread && each.point == point; });
  };
  const auto held = passing(decided.held, decided.held_at), first = passing(decided.first, decided.first_at);
  if (held == trail.end() || first == trail.end() || first < held) return;
  std::vector<warpz_passing> candidates(held, first);
  std::erase_if(candidates, [&](const warpz_passing& each) { return each.thread == decided.first; });
  const std::size_t last = last_that_shows(some, number, candidates.size(), [&](warpz_decision& each, std::size_t i) {
    each.held = candidates[i].thread;
    each.held_at = candidates[i].point;
  });
  const auto from = std::find_if(passing(candidates[last].thread, candidates[last].point), trail.end(),
                                 [&](const warpz_passing& each) { return each.thread == decided.first; });
  if (from != trail.end()) shorten(some, number, from->point);
}

/// The party that goes first stands at point `from` then, and goes on as short as will do.
void schedule_shrink::shorten(decisions& some, std::size_t number, std::uint32_t from) {
  const std::uint32_t last = some[number].first_at;
  if (last <= from) return;
  last_that_shows(some, number, last - from + 1,
                  [&](warpz_decision& each, std::size_t i) { each.first_at = last - static_cast<std::uint32_t>(i); });
}

std::vector<schedule_decision> schedule_shrink::explained(const decisions& some, symbolized_finding& found) const {
  if (found.module_base == 0) found.module_base = module_base_;
  const auto party = [&](const warpz_lane_group& group) {
    warpz_lane_group copy = group;
    if (copy.code != 0) copy.code += found.module_base - module_base_;
    return schedule_party{copy};
  };
  std::vector<schedule_decision> told;
  for (std::size_t i = 0; i < std::min<std::size_t>(some.size(), WARPZ_MAX_EXPLAINED); ++i) {
    if (record_->first[i].state == 0 || record_->held[i].state == 0) continue;
    told.push_back({some[i], party(record_->first[i]), party(record_->held[i])});
  }
  return told;
}

}  // namespace warpz
