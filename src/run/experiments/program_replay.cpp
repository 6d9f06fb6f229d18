// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/program_replay.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "pieces/bytes.hpp"
#include "process/run_record_fields.hpp"
#include "run/experiments/output_difference.hpp"
#include "system/memory_limit.hpp"
#include "system/usable_cores.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// How many bytes of each run's output are compared.
constexpr std::size_t max_compared = std::size_t{16} << 20;

constexpr std::size_t max_line_length = 200;

std::string line_text(const std::optional<std::string>& line) {
  return line ? printable(*line, max_line_length) : "(nothing)";
}

std::string end_text(const user_program_end& end) {
  if (end.stopped) return "stopped by a finding";
  return WIFSIGNALED(end.status) ? fmt::format("ended by signal {}", WTERMSIG(end.status))
                                 : fmt::format("exit code {}", WEXITSTATUS(end.status));
}

/// How many copies of the largest process that has run here, or a compiler, fit into half of the memory.
std::size_t copies_in_memory() {
  rusage used{};
  if (getrusage(RUSAGE_CHILDREN, &used) != 0) return 1;
  const std::uint64_t bytes = std::max<std::uint64_t>(static_cast<std::uint64_t>(used.ru_maxrss) << 10, 1);
  return os::read_memory_limit().available / 2 / bytes;
}

struct has_effects {};

/// How a run ended, in words. A program that was stopped has no exit code of its own.
bool ended_alike(const user_program_end& a, const user_program_end& b) {
  return a.stopped == b.stopped && (a.stopped || a.status == b.status);
}

}  // namespace

void program_replay::same_runs::add(result one) {
  ends.push_back(std::move(one.end));
  outputs.push_back(std::move(one.output));
}

bool program_replay::same_runs::always_ended_alike() const {
  return std::all_of(ends.begin(), ends.end(),
                     [&](const user_program_end& each) { return ended_alike(each, ends[0]); });
}

std::vector<std::string> program_replay::differences(const std::string& name, const same_runs& one,
                                                     const std::string& other_name, const same_runs& other,
                                                     bool is_same_device) {
  if (!ended_alike(one.ends[0], other.ends[0]) && one.always_ended_alike() && other.always_ended_alike()) {
    return {fmt::format("{}: {}", name, end_text(one.ends[0])),
            fmt::format("{}: {}", other_name, end_text(other.ends[0]))};
  }
  const auto line =
      is_same_device ? difference(one.outputs, other.outputs) : difference_but_for_device(one.outputs, other.outputs);
  if (!line) return {};
  return {fmt::format("what it prints differs first in line {}:", line->number),
          fmt::format("{}: {}", name, line_text(line->first)),
          fmt::format("{}: {}", other_name, line_text(line->second))};
}

program_replay::result program_replay::run_once(user_program_run run, bool keep_output,
                                                const std::function<void(std::string_view)>& print) {
  result ran;
  run.is_silent = !print;
  if (keep_output) {
    run.take_output = [&](std::string_view piece) {
      ran.output += piece.substr(0, max_compared - ran.output.size());
      if (print) print(piece);
    };
  }
  ran.end = run_user_program(warpz_get_module, run);
  return ran;
}

user_program_run program_replay::varied_run(const variation& varied) const {
  user_program_run run = program_;
  run.on_long_run = {};
  run.settings.perturbation = varied.perturbation;
  if (varied.rules) run.settings.rules = *varied.rules;
  if (varied.timeout_seconds) run.settings.timeout_seconds = *varied.timeout_seconds;
  return run;
}

program_replay::result program_replay::run_again(const variation& varied) const {
  if (on_rerun_) on_rerun_();
  return run_once(varied_run(varied), true, {});
}

user_program_end program_replay::run_first(bool keep_output, const std::function<void(std::string_view)>& print,
                                           void* costs) {
  user_program_run run = program_;
  run.settings.costs = costs;
  // The first run continues after a divergence, to find more. Runs that are compared with it end there.
  run.settings.continue_after_divergence = 1;
  const auto begin = std::chrono::steady_clock::now();
  baseline_.add(run_once(std::move(run), keep_output, print));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  // This run has ended; a varied one may not, and nobody would see why.
  double& limit = program_.settings.time_limit_seconds;
  if (limit == 0) limit = std::max(program_.settings.timeout_seconds, 10 * taken.count());
  return baseline_.ends.front();
}

const run_record& program_replay::run(const variation& varied) {
  last_variation_ = varied;
  std::optional<result> ran = take_expected(varied);
  last_ = {};
  last_.add(ran ? std::move(*ran) : run_again(varied));
  return last_.ends.front();
}

void program_replay::expect(std::vector<variation> runs) {
  std::vector<expected_run> before = std::exchange(expected_, {});
  // Once: each copy that is left has one of so many parts of the cores.
  if (copies_ == 0) copies_ = std::min<std::size_t>(os::usable_cores(), copies_in_memory());
  if (copies_ < 2 || *has_effects_) return;
  for (variation& each : runs) {
    const auto same = std::find_if(before.begin(), before.end(), [&](const auto& one) { return one.varied == each; });
    expected_.push_back({std::move(each), same != before.end() ? std::move(same->ahead) : nullptr});
  }
  before.clear();
  begin_expected();
}

/// Begins as many of the expected runs as there are to be at once.
void program_replay::begin_expected() {
  std::vector<bool> is_used(copies_);
  for (const expected_run& each : expected_) {
    if (each.ahead) is_used[each.ahead->part()] = true;
  }
  for (expected_run& each : expected_) {
    if (each.ahead) continue;
    const auto free = std::find(is_used.begin(), is_used.end(), false);
    if (free == is_used.end()) return;
    *free = true;
    const auto part = static_cast<std::size_t>(free - is_used.begin());
    each.ahead = std::make_unique<run_ahead>(part, copies_, [&] { return bytes_of(run_ahead_of_time(each.varied)); });
  }
}

/// In a copy of this process. Throws something where the run has to be made when its turn comes.
program_replay::result program_replay::run_ahead_of_time(const variation& varied) const {
  if (program_.input != nullptr && !program_.input->separate()) throw has_effects();
  user_program_run run = varied_run(varied);
  run.ends_at_changes = true;
  run.settings.recording = {};
  result ran = run_once(std::move(run), true, {});
  if (WIFSIGNALED(ran.end.status) && WTERMSIG(ran.end.status) == SIGSYS) throw has_effects();
  return ran;
}

std::optional<program_replay::result> program_replay::take_expected(const variation& varied) {
  const auto at =
      std::find_if(expected_.begin(), expected_.end(), [&](const auto& one) { return one.varied == varied; });
  if (at == expected_.end()) expected_.clear();
  if (expected_.empty()) return {};
  const std::unique_ptr<run_ahead> ahead = std::move(at->ahead);
  expected_.erase(at);
  if (!ahead) return {};
  const std::optional<std::string> bytes = ahead->take();
  if (!bytes) {
    *has_effects_ = true;
    expected_.clear();
    return {};
  }
  begin_expected();
  if (on_rerun_) on_rerun_();
  result taken;
  read_bytes(*bytes, taken);
  return taken;
}

void program_replay::set_baseline() {
  baseline_variation_ = last_variation_;
  baseline_ = last_;
  baseline_.add(run_again(baseline_variation_));
}

bool program_replay::is_same() const {
  const user_program_end &one = baseline_.ends.front(), &other = last_.ends.front();
  return last_differences().empty() && (!other.stopped || same_stop(one.findings, other.findings));
}

bool program_replay::confirm(const variation& varied, symbolized_finding& finding) {
  baseline_.add(run_again(baseline_variation_));
  last_.add(run_again(varied));
  finding.notes = last_differences();
  return !finding.notes.empty();
}

bool program_replay::differs_again(const variation& varied) {
  for (int round = 0; round < 2 && !last_differences().empty(); ++round) {
    baseline_.add(run_again(baseline_variation_));
    last_.add(run_again(varied));
  }
  return !last_differences().empty();
}

std::vector<std::string> baseline_differences(program_replay& one, program_replay& other) {
  if (one.baseline_.ends.front().has_diverged || other.baseline_.ends.front().has_diverged) return {};
  const auto different = [&] {
    return program_replay::differences(fmt::format("with {} lanes", one.warp_size()), one.baseline_,
                                       fmt::format("with {} lanes", other.warp_size()), other.baseline_, false);
  };
  if (different().empty()) return {};
  for (program_replay* const each : {&one, &other}) each->baseline_.add(each->run_again(each->baseline_variation_));
  return different();
}

}  // namespace warpz
