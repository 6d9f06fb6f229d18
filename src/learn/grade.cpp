// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "abi/finding_identity.hpp"
#include "error.hpp"
#include "findings/kinds.hpp"
#include "learn/judge_command.hpp"
#include "learn/progress.hpp"
#include "learn/working_copy.hpp"
#include "pieces/bytes.hpp"
#include "process/another_warpz.hpp"
#include "system/file_content.hpp"

namespace warpz {

// Taken apart, so that these do not compile where a struct has a member more.

template <class Archive>
void fields(Archive& archive, judged_element& one) {
  auto& [index, input, output, expected] = one;
  archive(index, input, output, expected);
}

template <class Archive>
void fields(Archive& archive, judgement& one) {
  auto& [outcome, code, warp_size, size, is_hidden, launches, input, trace_options, differing, passed_hidden, elements,
         words, costs, milliseconds] = one;
  archive(outcome, code, warp_size, size, is_hidden, launches, input, trace_options, differing, passed_hidden, elements,
          words, costs, milliseconds);
}

template <class Archive>
void fields(Archive& archive, graded_file& one) {
  auto& [result, verdict] = one;
  archive(result, verdict);
}

namespace {

using clock = std::chrono::steady_clock;

/// For all that is done with a file, its compilation, too. A machine that has much else to do is no fault of it.
constexpr double max_processor_seconds = 60;
constexpr std::chrono::minutes max_time{10};

constexpr std::array<std::string_view, 9> mark_names{
    "✓", "wrong", "rule", "cost", "does not compile", "timeout", "not attempted", "missing", "not judged"};

mark mark_of(const judgement& one) {
  if (one.passed()) return mark::right;
  if (one.outcome == outcome_cost) return mark::cost;
  if (one.outcome == "does_not_compile") return mark::does_not_compile;
  if (one.outcome == "no_progress" || one.outcome == "over_limit") return mark::timeout;
  if (one.outcome == "wrong_result" || one.outcome == "hidden_case") return mark::wrong;
  return kind_named(one.outcome) != nullptr ? mark::rule : mark::not_judged;
}

std::vector<std::string> grade_command(const std::string& program, const puzzle& task, const std::string& file,
                                       double limit) {
  std::vector<std::string> words = judge_command(program, task, file, limit);
  // A stranger's file: it reads no other's, and what it fills up is its own.
  for (const char* const word : {"--own-includes", "--memory-limit", "2048", "--output-limit", "16"})
    words.emplace_back(word);
  return words;
}

class class_of_students {
 public:
  class_of_students(const grading& request, std::span<const submission> all, std::span<const puzzle* const> tasks)
      : request_(request), all_(all), tasks_(tasks) {
    for (const puzzle* const each : tasks) solutions_.push_back(run_solution(request.program, *each));
    if (request.seconds > 0)
      end_ = clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(request.seconds));
  }

  void grade(const std::function<void(const graded_student&)>& on_student) const {
    graded_student current;
    const auto judged = [&](std::size_t i) { return bytes_of(graded(i)); };
    const auto take = [&](std::size_t i, const std::string& bytes) {
      if (i % tasks_.size() == 0) current = {all_[i / tasks_.size()], {}};
      read_bytes(bytes, current.files.emplace_back());
      if (current.files.size() == tasks_.size()) on_student(current);
    };
    request_.files->run({all_.size() * tasks_.size(), identity(), true}, judged, take);
  }

 private:
  /// What is handed in, by whom and for what.
  std::uint64_t identity() const {
    std::uint64_t hash = 0;
    for (const puzzle* const each : tasks_) hash = hash_of(each->flag, hash);
    for (const submission& each : all_) hash = hash_of_files(each.files, hash);
    return hash;
  }

  graded_file graded(std::size_t i) const {
    const std::size_t student = i / tasks_.size(), task = i % tasks_.size();
    try {
      return grade_file(all_[student].files[task], *tasks_[task], solutions_[task]);
    } catch (const error& reason) {
      return {mark::not_judged, {.words = fmt::format("{}\n", reason.what())}};
    }
  }

  graded_file grade_file(const std::string& file, const puzzle& task, const solution_run& solution) const {
    if (file.empty()) return {};
    if (os::content_of(file) == problem_of(task)) return {mark::not_attempted, {}};
    if (end_ && clock::now() >= *end_) return {mark::not_judged, {.words = "the time for all was over\n"}};
    const auto last = clock::now() + max_time;
    another_warpz one(grade_command(request_.program, task, file, solution.limit));
    while (!one.is_over()) {
      if (clock::now() >= last || one.processor_seconds() >= max_processor_seconds)
        return {mark::timeout,
                {.words = fmt::format("stopped after {:.0f} s of processor time\n", one.processor_seconds())}};
      if (end_ && clock::now() >= *end_) return {mark::not_judged, {.words = "the time for all was over\n"}};
    }
    judgement verdict = read_judgement(one.output(), one.messages());
    apply_goals(verdict, solution.costs, course_.lesson_of(task).goals);
    return {mark_of(verdict), std::move(verdict)};
  }

  const grading& request_;
  const course course_;
  const std::span<const submission> all_;
  const std::span<const puzzle* const> tasks_;
  std::vector<solution_run> solutions_;  ///< one for each puzzle
  std::optional<clock::time_point> end_;
};

}  // namespace

std::string_view mark_name(mark one) { return mark_names[static_cast<std::size_t>(one)]; }

std::size_t graded_student::right() const {
  return static_cast<std::size_t>(
      std::count_if(files.begin(), files.end(), [](const graded_file& each) { return each.result == mark::right; }));
}

void grade(const grading& request, std::span<const submission> all, std::span<const puzzle* const> tasks,
           const std::function<void(const graded_student&)>& on_student) {
  class_of_students(request, all, tasks).grade(on_student);
}

}  // namespace warpz
