// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/judge_command.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpz {
namespace {

constexpr double least_limit = 5;
constexpr double solution_times = 10;

}  // namespace

solution_run run_solution(const std::string& program, const puzzle& task) {
  const judgement ran =
      judge({program, fmt::format("--{}", task.flag), "--backend", "cpu", "--counters", "--warp-size",
             fmt::format("{}", task.only_warp_size != 0 ? task.only_warp_size : 32), "--format", "json"});
  return {ran.costs, std::max(least_limit, solution_times * ran.milliseconds / 1000)};
}

std::vector<std::string> judge_command(const std::string& program, const puzzle& task, const std::string& file,
                                       double limit) {
  // The shorter one first: of a kernel that makes no progress, that is what is to be told.
  const double timeout = 0.9 * limit;
  return {program,
          fmt::format("--{}", task.flag),
          "--kernel",
          file,
          "--backend",
          "cpu",
          "--counters",
          "--findings-limit",
          "1",
          "--timeout",
          fmt::format("{:.3f}", timeout),
          "--time-limit",
          fmt::format("{:.3f}", limit),
          "--format",
          "json"};
}

}  // namespace warpz
