// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/judge_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "text/printable.hpp"

namespace warpz {
namespace {

constexpr double least_limit = 5;
constexpr double solution_times = 10;

}  // namespace

std::vector<std::string> words_for(const puzzle& task) {
  std::vector<std::string> words{"--" + task.flag};
  if (task.is_own()) words.insert(words.end(), {"--puzzles", task.folder});
  return words;
}

std::string puzzles_option() {
  std::set<std::string_view> folders;
  for (const puzzle* const each : puzzles()) {
    if (each->is_own()) folders.insert(each->found_in);
  }
  std::string option;
  for (const std::string_view each : folders) option += " --puzzles " + shell_word(each);
  return option;
}

solution_run run_solution(const std::string& program, const puzzle& task) {
  std::vector<std::string> words = words_for(task);
  words.insert(words.begin(), program);
  words.insert(words.end(),
               {"--backend", "cpu", "--counters", "--documented-only", "--warp-size",
                fmt::format("{}", task.only_warp_size != 0 ? task.only_warp_size : 32), "--format", "json"});
  const judgement ran = judge(std::move(words));
  return {ran.costs, std::max(least_limit, solution_times * ran.milliseconds / 1000)};
}

std::vector<std::string> judge_command(const std::string& program, const puzzle& task, const std::string& file,
                                       double limit) {
  // The shorter one first: of a kernel that makes no progress, that is what is to be told.
  const double timeout = 0.9 * limit;
  std::vector<std::string> words = words_for(task);
  words.insert(words.begin(), program);
  words.insert(words.end(),
               {"--kernel", file, "--backend", "cpu", "--counters", "--findings-limit", "1", "--timeout",
                fmt::format("{:.3f}", timeout), "--time-limit", fmt::format("{:.3f}", limit), "--format", "json"});
  return words;
}

}  // namespace warpz
