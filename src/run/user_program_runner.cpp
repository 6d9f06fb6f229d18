// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/user_program_runner.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "abi/finding_identity.hpp"
#include "compile/user_program_file.hpp"
#include "findings/accessed_memory.hpp"
#include "findings/device_sources.hpp"
#include "findings/outcome_fields.hpp"
#include "findings/side_values.hpp"
#include "pieces/bytes.hpp"
#include "run/cost_counting.hpp"
#include "run/experiments/active_masks.hpp"
#include "run/experiments/raced_values.hpp"
#include "run/experiments/schedules.hpp"
#include "run/experiments/undefined_values.hpp"
#include "run/experiments/unset_reads.hpp"
#include "run/experiments/unwritten_copies.hpp"
#include "run/experiments/warp_sizes.hpp"
#include "source/repairs.hpp"

namespace warpz {

void take_end(user_program_outcome& outcome, const user_program_end& end) {
  outcome.was_stopped = end.stopped;
  if (WIFSIGNALED(end.status)) {
    outcome.signal = static_cast<unsigned>(WTERMSIG(end.status));
    outcome.exit_code = 128 + WTERMSIG(end.status);
  } else {
    outcome.exit_code = WEXITSTATUS(end.status);
  }
}

std::string report_of_started(const std::vector<user_program_outcome>& outcomes) {
  return bytes_of(bytes_of(outcomes));
}

namespace {

std::vector<user_program_outcome> outcomes_in(const std::string& reports) {
  std::vector<user_program_outcome> all;
  byte_reader reader(reports);
  while (!reader.is_at_end()) {
    std::string report;
    std::vector<user_program_outcome> outcomes;
    reader(report);
    read_bytes(report, outcomes);
    for (user_program_outcome& each : outcomes) all.push_back(std::move(each));
  }
  return all;
}

/// What has started them has no say in what they write there.
void take_started(judged_program_run& judged, const std::string& reports) {
  try {
    judged.started = outcomes_in(reports);
  } catch (const error&) {
    judged.outcome.started_broke_rule = true;
  }
  for (user_program_outcome& each : judged.started) {
    each.is_started = true;
    if (each.result != verdict::passed) judged.outcome.started_broke_rule = true;
  }
}

}  // namespace

user_program_runner::user_program_runner(user_program_plan plan) : plan_(std::move(plan)) {
  if (may_be_repeated()) plan_.run.input = &input_;
}

/// At a terminal, users would have to type their input again, so only if they have asked for further runs.
bool user_program_runner::may_be_repeated() const {
  if (plan_.run.debugged) return false;
  return is_repeated() || (plan_.run.settings.check == WARPZ_CHECK_ALL && isatty(STDIN_FILENO) == 0);
}

const std::string& user_program_runner::library(unsigned warp_size) const {
  const auto found = plan_.libraries.find(warp_size);
  return found == plan_.libraries.end() ? plan_.run.library : found->second;
}

/// Where the lines of a run's code are looked up.
code_location user_program_runner::code_of(unsigned warp_size, const run_record& one) const {
  code_location code{library(warp_size), one.module_base, plan_.files, one.modules};
  // A compiled program is in another folder than what it was made of.
  code.sources.insert(code.sources.end(), plan_.other_sources.begin(), plan_.other_sources.end());
  return code;
}

/// Of libraries that a program is linked with.
void user_program_runner::add_sources_of(const std::vector<os::mapped_file>& libraries) {
  for (const os::mapped_file& library : libraries) {
    for (device_source& each : device_sources_in(library.path)) {
      std::vector<std::string>& known = plan_.other_sources;
      if (std::find(known.begin(), known.end(), each.path) == known.end()) known.push_back(std::move(each.path));
    }
  }
}

program_replay user_program_runner::new_replay(unsigned warp_size) const {
  user_program_run run = plan_.run;
  run.warp_size = warp_size;
  run.library = library(warp_size);
  return {std::move(run), plan_.on_rerun};
}

/// What the first run has recorded, which is complete once the program has been run again where values are undefined.
std::optional<trace> user_program_runner::read_trace(const user_program_end& first, const program_replay& replay) {
  const auto names = [&](const run_record& one) { return trace_names{code_of(replay.warp_size(), one), {}}; };
  program_replay again = replay.fresh();
  trace recorded =
      may_be_repeated() ? recordings_.back().read(first, again, names) : recordings_.back().read(names(first));
  if (recorded.threads == 0) return {};
  return recorded;
}

judged_program_run user_program_runner::run(unsigned warp_size, const std::function<void(std::string_view)>& print) {
  if (plan_.trace) plan_.run.settings.recording = recordings_.emplace_back(*plan_.trace).settings();
  program_replay& replay = replays_.insert_or_assign(warp_size, new_replay(warp_size)).first->second;
  std::optional<cost_counting> counting;
  if (plan_.counts_costs) counting.emplace();
  const user_program_end first = replay.run_first(is_repeated(), print, counting ? counting->record() : nullptr);
  judged_program_run judged;
  if (plan_.trace) judged.traced = read_trace(first, replay);
  add_sources_of(first.modules);
  user_program_outcome& outcome = judged.outcome;
  if (counting) outcome.costs = counting->read(code_of(warp_size, first), warp_size);
  outcome.files = plan_.files;
  outcome.warp_size = warp_size;
  outcome.is_checked = plan_.run.settings.check == WARPZ_CHECK_ALL && first.is_checked;
  outcome.launched_none = outcome.is_checked && first.digest.blocks == 0;
  take_end(outcome, first);
  take_started(judged, first.started);
  add_findings(outcome, first, replay);
  if (judged.traced) {
    warpz::add_findings(*judged.traced, outcome, plan_.trace->explained);
    add_sources(*judged.traced, plan_.files);
  }
  return judged;
}

void user_program_runner::add_findings(user_program_outcome& outcome, const run_record& first,
                                       program_replay& replay) const {
  // An undefined value may be the cause of all other findings.
  std::vector<symbolized_finding> found;
  if (may_be_repeated()) {
    program_replay search = replay.fresh();
    found = find_undefined_values(search, first, plan_.run.settings.timeout_seconds);
  }
  std::vector<symbolized_finding> copies;
  if (may_be_repeated() && has_unwritten_copies(first)) {
    program_replay filled = new_replay(outcome.warp_size);
    copies = find_unwritten_copies(filled, first, outcome.exit_code != 0);
  }
  for (const warpz_finding& each : first.findings) {
    if (copies.empty() || !is_unwritten_copy(each)) found.push_back({each, first.module_base});
  }
  found.insert(found.end(), copies.begin(), copies.end());
  if (may_be_repeated()) {
    program_replay trial = replay.fresh();
    judge_races(trial, first, found);
    program_replay filled = replay.fresh();
    judge_unset_reads(filled, first, found);
  }
  const std::size_t in_ascending_order = found.size();
  const std::uint64_t identity = plan_.runner != nullptr ? hash_of_files(plan_.files, hash_of(input_.known())) : 0;
  explore_schedules(replay, first, plan_.schedules, found, plan_.runner, identity);
  if (may_be_repeated() && plan_.run.settings.rules != WARPZ_RULES_AMD) {
    program_replay trial = replay.fresh();
    attribute_to_active_lanes(trial, plan_.files, found);
  }
  // Devices of 64 lanes follow AMD's rules.
  if (may_be_repeated() && outcome.is_checked && outcome.warp_size == 32 &&
      plan_.run.settings.rules != WARPZ_RULES_AMD) {
    program_replay trial = replay.fresh();
    explore_active_masks(trial, first, plan_.files, found);
  }

  finding_filter filter(plan_.findings);
  filter.leave_out(first.findings_left_out);
  // It may be the cause of all others.
  if (outcome.is_checked) {
    for (symbolized_finding& each : disagreements_of_sides(code_of(outcome.warp_size, first), outcome.warp_size))
      filter.add(std::move(each), {});
  }
  std::optional<symbolized_finding> dependence;
  std::vector<symbolized_finding> leaks;
  for (std::size_t i = 0; i < found.size(); ++i) {
    symbolized_finding& each = found[i];
    code_location code = code_of(outcome.warp_size, first);
    code.base = each.module_base;
    symbolize(each, code, {});
    if (each.record.kind == WARPZ_SCHEDULE_DEPENDENCE) {
      dependence = each;
      dependence->whole_file = plan_.files.front();
    } else if (each.record.kind == WARPZ_LEAK) {
      leaks.push_back(each);
    } else {
      const bool ended_run = first.stopped && i + 1 == in_ascending_order;
      filter.add(each, {ended_run, false});
    }
  }
  for (const symbolized_finding& each : joined_leaks(leaks, plan_.leaks)) filter.add(each, {});
  if (dependence) filter.add(std::move(*dependence));
  outcome.findings = filter.take();
  add_repairs(outcome.findings, code_of(outcome.warp_size, {}), outcome.warp_size);
  outcome.findings_left_out = filter.left_out;
  if (filter.fail) outcome.result = verdict::broken_rule;
}

void user_program_runner::list_assumptions(user_program_outcome& outcome) const {
  list_warp_size_assumptions(outcome, outcome.warp_size, warp_size_lines_in(code_of(outcome.warp_size, {})),
                             plan_.findings.accepted);
}

void user_program_runner::compare_warp_sizes(const user_program_outcome& first, user_program_outcome& second) {
  warpz::compare_warp_sizes(replays_.at(first.warp_size), replays_.at(second.warp_size), plan_.files.front(),
                            warp_size_lines_in(code_of(second.warp_size, {})), plan_.findings.accepted, second);
}

}  // namespace warpz
