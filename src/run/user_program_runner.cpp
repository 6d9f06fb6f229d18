// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/user_program_runner.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "findings/accessed_memory.hpp"
#include "run/experiments/program_schedules.hpp"
#include "run/experiments/program_undefined_values.hpp"
#include "run/experiments/undefined_search.hpp"
#include "source/warp_size_literals.hpp"
#include "system/file_content.hpp"

namespace warpz {
namespace {

/// So much of what each run prints is compared.
constexpr std::size_t max_compared = std::size_t{16} << 20;

}  // namespace

program_runner::program_runner(program_plan how) : how_(std::move(how)) {
  if (may_be_repeated()) how_.what.input = &input_;
}

/// Nobody is asked for the same again who sits at a terminal, unless he has asked for it himself.
bool program_runner::may_be_repeated() const {
  return is_repeated() || (how_.what.settings.check == WARPZ_CHECK_ALL && isatty(STDIN_FILENO) == 0);
}

program_result program_runner::run_once(unsigned lanes, const warpz_perturbation& perturbation, double timeout_seconds,
                                        const std::function<void(std::string_view)>& print) {
  if (!print && how_.told_rerun) how_.told_rerun();
  program_result result;
  user_program_run what = how_.what;
  what.warp_size = lanes;
  what.settings.perturbation = perturbation;
  what.settings.timeout_seconds = timeout_seconds;
  if (is_repeated() || !print) {
    what.take_output = [&](std::string_view piece) {
      result.output += piece.substr(0, max_compared - result.output.size());
      if (print) print(piece);
    };
  }
  what.is_silent = !print;
  result.end = run_user_program(warpz_get_module, what);
  return result;
}

program_result program_runner::run_again(unsigned lanes, std::uint64_t schedule) {
  warpz_perturbation perturbation{};
  perturbation.schedule = schedule;
  return run_once(lanes, perturbation, how_.what.settings.timeout_seconds, {});
}

symbolized_finding program_runner::of_the_whole(symbolized_finding made) const {
  made.whole_file = how_.files.front();
  return made;
}

user_program_outcome program_runner::run(unsigned lanes, const std::function<void(std::string_view)>& print) {
  program_runs& ascending = ways_[lanes];
  ascending = {};
  const double timeout = how_.what.settings.timeout_seconds;
  ascending.add(run_once(lanes, {}, timeout, print));
  const user_program_end ended = ascending.ends.front();
  user_program_outcome result;
  result.files = how_.files;
  result.warp_size = lanes;
  result.was_stopped = ended.stopped;
  if (WIFSIGNALED(ended.status)) {
    result.signal = static_cast<unsigned>(WTERMSIG(ended.status));
    result.exit_code = 128 + WTERMSIG(ended.status);
  } else {
    result.exit_code = WEXITSTATUS(ended.status);
  }
  // What a lane takes from nowhere may be the cause of all else that is found.
  std::vector<located_finding> found;
  if (may_be_searched(ended.stopped, ended.findings) && may_be_repeated()) {
    const auto varied = [&](const warpz_perturbation& perturbation, double seconds) {
      return run_once(lanes, perturbation, seconds, {});
    };
    found = find_undefined_values(varied, ended.trace, timeout);
  }
  for (const warpz_finding& each : ended.findings) found.push_back({each, ended.base});
  const std::size_t in_ascending_order = found.size();
  auto dependence = explore_program_schedules([&](std::uint64_t seed) { return run_again(lanes, seed); }, ascending,
                                              how_.schedules, found);

  finding_filter told(how_.findings);
  told.leave_out(ended.findings_left_out);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const located_finding& each = found[i];
    const bool ended_it = ended.stopped && i + 1 == in_ascending_order;
    told.add(each.record, {ended_it, false, each.schedule}, [&] {
      const std::string source = how_.files.size() == 1 ? how_.files.front() : "";
      symbolized_finding told_of = symbolize(each.record, {how_.what.library, each.module_base, source}, nullptr);
      told_of.notes.insert(told_of.notes.end(), each.notes.begin(), each.notes.end());
      return told_of;
    });
  }
  if (dependence) told.add(of_the_whole(std::move(*dependence)));
  result.findings = std::move(told.all);
  result.findings_left_out = told.left_out;
  if (told.fail) result.result = verdict::broken_rule;
  return result;
}

void program_runner::compare_warp_sizes(const user_program_outcome& first, user_program_outcome& second) {
  program_runs &one = ways_[first.warp_size], &other = ways_[second.warp_size];
  const auto different = [&] {
    return differences(fmt::format("with {} lanes", first.warp_size), one,
                       fmt::format("with {} lanes", second.warp_size), other);
  };
  if (different().empty()) return;
  // What is never the same depends on something else.
  one.add(run_again(first.warp_size, 0));
  other.add(run_again(second.warp_size, 0));
  symbolized_finding made{};
  made.record.kind = WARPZ_WARP_SIZE_DEPENDENCE;
  made.notes = different();
  if (made.notes.empty()) return;
  for (const unsigned lanes : {32U, 64U}) {
    for (const std::string& file : how_.files) {
      for (source_line& line : warp_size_literals(os::content_of(file).value_or(""), file, lanes)) {
        made.related.push_back({fmt::format("written for {} lanes", lanes), line.file, line.line});
      }
    }
  }
  finding_filter told(how_.findings);
  told.add(of_the_whole(std::move(made)));
  second.findings.push_back(std::move(told.all.front()));
  if (told.fail) second.result = verdict::broken_rule;
}

}  // namespace warpz
