// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/program_runs.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "run/experiments/output_difference.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

constexpr std::size_t max_line_length = 200;

std::string line_text(const std::optional<std::string>& line) {
  return line ? printable(*line, max_line_length) : "(nothing)";
}

std::string how_it_ended(const user_program_end& of) {
  if (of.stopped) return "stopped by a finding";
  return WIFSIGNALED(of.status) ? fmt::format("ended by signal {}", WTERMSIG(of.status))
                                : fmt::format("exit code {}", WEXITSTATUS(of.status));
}

/// The exit code of a program that was stopped is none of its own.
bool ended_alike(const user_program_end& a, const user_program_end& b) {
  return a.stopped == b.stopped && (a.stopped || a.status == b.status);
}

bool always_ended_alike(const program_runs& of) {
  return std::all_of(of.ends.begin(), of.ends.end(), [&](const auto& each) { return ended_alike(each, of.ends[0]); });
}

}  // namespace

void program_runs::add(program_result one) {
  ends.push_back(std::move(one.end));
  outputs.push_back(std::move(one.output));
}

std::vector<std::string> differences(const std::string& name, const program_runs& one, const std::string& other_name,
                                     const program_runs& other) {
  if (!ended_alike(one.ends[0], other.ends[0]) && always_ended_alike(one) && always_ended_alike(other)) {
    return {fmt::format("{}: {}", name, how_it_ended(one.ends[0])),
            fmt::format("{}: {}", other_name, how_it_ended(other.ends[0]))};
  }
  const auto line = difference(one.outputs, other.outputs);
  if (!line) return {};
  return {fmt::format("what it prints differs first in line {}:", line->number),
          fmt::format("{}: {}", name, line_text(line->first)),
          fmt::format("{}: {}", other_name, line_text(line->second))};
}

}  // namespace warpz
