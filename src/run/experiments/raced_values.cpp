// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/raced_values.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "abi/finding_identity.hpp"
#include "abi/settings.h"
#include "abi/text.h"
#include "findings/lane_groups.hpp"

namespace warpz {
namespace {

/// What is read instead: a NaN or -1, a large number, zero, and the integer 1, of which one makes a difference in a
/// minimum; and the integers from 1 on, each read the next one, of which one may be what the value is compared with.
struct other_value {
  std::uint64_t bits;
  std::uint64_t spread;
};
constexpr other_value other_values[] = {
    {~std::uint64_t{0}, 0}, {0x7e9676997e967699, 0}, {0, 0}, {0x0000000100000001, 0}, {0, 0x0000000100000001}};

/// So many races are looked at: each takes some runs.
constexpr int max_races = 8;

constexpr std::uint64_t seeds_of_inputs[] = {1, 2, warpz_wide_inputs, warpz_wide_inputs + 1};

/// An endless loop shows by its steps.
std::uint64_t steps_for(const warpz_digest& ordinary) { return 4 * ordinary.steps + 100'000; }

bool is_race(const symbolized_finding& each) {
  return each.record.kind == WARPZ_DATA_RACE && each.schedule == 0 && each.record.group_count == 2;
}

void set_message(warpz_finding& record, const char* text) {
  warpz_copy_beginning(record.message, sizeof record.message, text);
}

/// Whether two lanes write what is the same by the data, and not by the code.
bool writes_equal_data(const symbolized_finding& each) {
  return is_race(each) && each.record.severity == WARPZ_WARNING && each.record.pattern == WARPZ_RACE_EQUAL_DATA;
}

/// The race's severity in a run with other data; nothing where it is not found there.
std::optional<std::uint32_t> severity_in(const run_record& ran, const symbolized_finding& race) {
  const finding_identity identity = identity_of(race.record, race.module_base);
  for (const warpz_finding& each : ran.findings) {
    if (identity_of(each, ran.module_base) == identity) return each.severity;
  }
  return {};
}

void judge_equal_data(replay& code, const run_record& first, std::vector<symbolized_finding>& found) {
  std::vector<symbolized_finding*> open, equal;
  for (symbolized_finding& each : found) {
    if (writes_equal_data(each)) open.push_back(&each);
  }
  // Other data may keep a lane from writing, or leave what it writes as it was: one run is no proof.
  for (const std::uint64_t seed : seeds_of_inputs) {
    if (open.empty()) return;
    variation varied;
    varied.perturbation.inputs = seed;
    varied.perturbation.kept_inputs = first.digest.state;
    varied.perturbation.comparison = WARPZ_COMPARE_DIGEST;
    varied.perturbation.max_steps = steps_for(first.digest);
    varied.name = "with other data";
    const run_record& ran = code.run(varied);
    if (ran.digest.inputs == 0) break;
    std::erase_if(open, [&](symbolized_finding* each) {
      const std::optional<std::uint32_t> severity = severity_in(ran, *each);
      if (severity == WARPZ_WARNING) equal.push_back(each);
      if (severity != WARPZ_ERROR) return false;
      each->record.severity = WARPZ_ERROR;
      set_message(
          each->record,
          "lanes write to the same memory at the same time: the same value on this data, and not on other data");
      return true;
    });
  }
  for (symbolized_finding* const each : open) {
    if (std::find(equal.begin(), equal.end(), each) != equal.end()) continue;
    each->record.severity = WARPZ_ERROR;
    set_message(each->record,
                "lanes write to the same memory at the same time: the same value on this data, perhaps by accident");
  }
}

/// Whether one lane reads what another one writes, by plain accesses.
bool has_plain_read(const symbolized_finding& each) {
  if (!is_race(each) || each.record.severity != WARPZ_ERROR || each.record.pattern != 0) return false;
  const auto groups = groups_of(each.record);
  const auto is_any = [&](std::uint32_t state) {
    return std::any_of(groups.begin(), groups.end(), [state](const auto& one) { return one.state == state; });
  };
  return is_any(WARPZ_LANE_READ) && is_any(WARPZ_LANE_WROTE) && groups[0].code != 0 && groups[1].code != 0;
}

/// Runs in one order, with different values in place of those that are read in one race.
class value_trial {
 public:
  value_trial(replay& code, const symbolized_finding& race, bool descends) : code_(code) {
    const auto groups = groups_of(race.record);
    const std::uint64_t one = groups[0].code - race.module_base, other = groups[1].code - race.module_base;
    perturbation_.descends = descends ? 1 : 0;
    perturbation_.comparison = WARPZ_COMPARE_DIGEST;
    perturbation_.raced_places[0] = std::min(one, other);
    perturbation_.raced_places[1] = std::max(one, other);
    const run_record ran = code_.run(watched());
    baseline_ = ran.digest;
    is_whole_ = !ran.stopped && !ran.has_diverged;
    if (is_whole_ && reads() != 0) {
      std::vector<variation> next;
      for (const other_value& each : other_values) next.push_back(with(each));
      code_.expect(std::move(next));
    }
    code_.set_baseline();
  }

  std::uint64_t reads() const { return baseline_.raced_reads; }
  std::uint64_t others() const { return baseline_.raced_others; }

  /// Whether nothing is different, whatever is read.
  bool is_unused() {
    return is_whole_ && std::all_of(std::begin(other_values), std::end(other_values), [this](const other_value& value) {
             const run_record ran = code_.run(with(value));
             return !ran.stopped && code_.is_same() && ran.digest.hash == baseline_.hash &&
                    ran.digest.memory == baseline_.memory && ran.digest.copied == baseline_.copied;
           });
  }

 private:
  variation with(const other_value& value) const {
    variation varied = watched();
    varied.perturbation.raced = WARPZ_RACED_POISON;
    varied.perturbation.poison = value.bits;
    varied.perturbation.spread = value.spread;
    varied.perturbation.max_steps = steps_for(baseline_);
    return varied;
  }

  variation watched() const {
    variation varied;
    varied.perturbation = perturbation_;
    varied.perturbation.raced = WARPZ_RACED_WATCH;
    varied.name = "with another value";
    return varied;
  }

  replay& code_;
  warpz_perturbation perturbation_{};
  warpz_digest baseline_{};
  bool is_whole_ = false;
};

/// A read that is before the write in the ascending order is behind it in the descending one.
bool is_value_unused(replay& code, const symbolized_finding& race) {
  value_trial ascending(code, race, false);
  if (ascending.reads() + ascending.others() == 0 || !ascending.is_unused()) return false;
  if (ascending.others() == 0) return true;
  value_trial descending(code, race, true);
  return descending.reads() != 0 && descending.others() <= ascending.reads() && descending.is_unused();
}

void judge_reads(replay& code, std::vector<symbolized_finding>& found) {
  int rest = max_races;
  for (symbolized_finding& each : found) {
    if (!has_plain_read(each) || rest-- <= 0) continue;
    if (!is_value_unused(code, each)) continue;
    each.record.severity = WARPZ_WARNING;
    each.record.pattern = WARPZ_RACE_UNUSED_VALUE;
  }
}

bool is_reset(const symbolized_finding& each) {
  return is_race(each) && each.record.severity == WARPZ_WARNING && each.record.pattern == WARPZ_RACE_BEHIND_ATOMIC;
}

/// Whether the run has shown an atomic behind the write.
bool has_atomic_behind(const run_record& ran, const symbolized_finding& reset) {
  const finding_identity identity = identity_of(reset.record, reset.module_base);
  return std::any_of(ran.findings.begin(), ran.findings.end(), [&](const warpz_finding& each) {
    return identity_of(each, ran.module_base) == identity && each.severity == WARPZ_ERROR;
  });
}

/// In another order a lane that has not looked whether the others are done is too early.
void judge_resets(replay& code, const run_record& first, std::vector<symbolized_finding>& found) {
  std::vector<variation> orders;
  for (const std::uint64_t order : {std::uint64_t{0}, std::uint64_t{1}, warpz_lockstep_seeds}) {
    variation& varied = orders.emplace_back();
    varied.perturbation.schedule = order;
    varied.perturbation.descends = order == 0 ? 1 : 0;
    varied.perturbation.comparison = WARPZ_COMPARE_DIGEST;
    varied.perturbation.max_steps = steps_for(first.digest);
    varied.name = "in another order";
  }
  const auto is_any_left = [&found] { return std::any_of(found.begin(), found.end(), is_reset); };
  if (is_any_left()) code.expect(orders);
  for (const variation& varied : orders) {
    if (!is_any_left()) return;
    const run_record& ran = code.run(varied);
    for (symbolized_finding& each : found) {
      if (!is_reset(each) || !has_atomic_behind(ran, each)) continue;
      each.record.severity = WARPZ_ERROR;
      each.record.pattern = 0;
    }
  }
}

}  // namespace

void judge_races(replay& code, const run_record& first, std::vector<symbolized_finding>& found) {
  if (first.stopped || first.has_diverged || !code.possible()) return;
  judge_equal_data(code, first, found);
  judge_reads(code, found);
  judge_resets(code, first, found);
}

}  // namespace warpz
