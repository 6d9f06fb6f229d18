// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/progress_report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "findings/kinds.hpp"
#include "learn/judge_command.hpp"
#include "learn/working_copy.hpp"
#include "report/details.hpp"
#include "text/printable.hpp"
#include "text/wrapped.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

std::string outcome_of(const puzzle_outcome& result) {
  if (result.result == verdict::passed) return std::string(outcome_passed);
  for (const symbolized_finding& each : result.findings) {
    if (!each.suppressed && !each.shown_on_purpose && each.record.severity != WARPZ_WARNING)
      return std::string(kind_of(each.record.kind).name);
  }
  return std::string(result.judged == case_kind::hidden ? "hidden_case" : verdict_name(result.result));
}

class progress_report final : public report {
 public:
  progress_report(working_copy copy, fs::path judged, std::string program, const report_style& style,
                  output_stream& err)
      : copy_(std::move(copy)),
        judged_(std::move(judged)),
        program_(std::move(program)),
        style_(style),
        done_(fmt::format("{}/{}", copy_.folder(), progress::file_name)),
        err_(err) {}

  void begin(const std::vector<std::string>& planned) override {
    if (planned.size() == 1) only_ = find_puzzle(planned.front());
  }

  void add(const puzzle_outcome& result) override {
    const puzzle& task = *result.puzzle;
    const bool passed = result.result == verdict::passed;
    // Data of the learner's choice prove nothing.
    if (!is_learners(task) || (passed && result.passed_hidden.empty())) return;
    const lesson& one = all_.lesson_of(task);
    if (!passed || (only_ == nullptr && one.goals.empty())) {
      done_.add_attempt(task, outcome_of(result));
      return;
    }
    const solution_run solution = run_solution(program_, task);
    const judgement own = judged_costs(task, solution);
    done_.add_attempt(task, own.outcome);
    if (only_ != nullptr) teach(one, own, solution);
  }

  void add(const user_program_outcome&) override {}

  void add(const refused_run& refused) override {
    if (is_learners(*refused.task) && refused.reason.code() == exit_code::does_not_compile)
      done_.add_attempt(*refused.task, "does_not_compile");
  }

  void end(int code, const error* stopped_by) override {
    const bool does_not_compile = stopped_by != nullptr && code == static_cast<int>(exit_code::does_not_compile);
    if (does_not_compile && only_ != nullptr && is_learners(*only_)) done_.add_attempt(*only_, "does_not_compile");
  }

 private:
  /// Not the problem as it was given, which nobody has tried yet.
  bool is_learners(const puzzle& task) {
    std::error_code failed;
    if (!fs::is_directory(judged_, failed) && !fs::equivalent(judged_, copy_.file_of(task), failed)) return false;
    if (copy_.is_begun(task)) return true;
    tell(fmt::format("not attempted: {} is as it was given\n", printable(copy_.file_of(task))));
    return false;
  }

  judgement judged_costs(const puzzle& task, const solution_run& solution) const {
    std::vector<std::string> words = judge_command(program_, task, copy_.file_of(task), solution.limit);
    words.emplace_back("--documented-only");
    judgement own = judge(std::move(words));
    apply_goals(own, solution.costs, all_.lesson_of(task).goals);
    return own;
  }

  /// What it costs beside the solution, and the next puzzle.
  void teach(const lesson& one, const judgement& own, const solution_run& solution) {
    if (own.costs) tell(fmt::format("costs: {}\n{}", costs_text(*own.costs, solution.costs), own.words));
    const lesson* const next = own.passed() ? next_open(all_, done_, &one) : &one;
    if (next == nullptr) {
      err_.write("All puzzles are done.\n");
    } else {
      const std::string command = fmt::format("{} learn {}{}", program_, next->task->flag, puzzles_option());
      err_.write(broken_command("next: ", command, style_.command_columns) + "\n");
    }
    err_.flush();
  }

  void tell(std::string_view text) { err_.write(fitted(text, style_.columns)); }

  const course all_;
  const working_copy copy_;
  const fs::path judged_;  ///< a file, or the folder
  const std::string program_;
  const report_style style_;
  progress done_;
  output_stream& err_;
  const puzzle* only_ = nullptr;  ///< that is judged; null: there are several
};

}  // namespace

std::unique_ptr<report> make_progress_report(const std::string& kernel_file, std::string program,
                                             const report_style& style, output_stream& err) {
  std::error_code failed;
  const fs::path path(kernel_file);
  const fs::path folder = fs::is_directory(path, failed) ? path : path.has_parent_path() ? path.parent_path() : ".";
  std::optional<working_copy> copy = working_copy::find(folder.string());
  if (!copy) return nullptr;
  return std::make_unique<progress_report>(std::move(*copy), path, std::move(program), style, err);
}

}  // namespace warpz
