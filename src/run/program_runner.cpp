// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/program_runner.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "error.hpp"
#include "run/accessed_memory.hpp"
#include "run/output_difference.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// So much of what each run prints is compared.
constexpr std::size_t most_compared = std::size_t{16} << 20;
constexpr std::size_t longest_line = 200;

/// Standard input, for a program that reads it more than once.
class repeated_input {
 public:
  repeated_input() : begin_(lseek(STDIN_FILENO, 0, SEEK_CUR)) {
    int waiting = 0;
    if (begin_ < 0 && isatty(STDIN_FILENO) == 0 && ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting > 0) {
      throw error(exit_code::bad_input, "--warp-size both: what comes through a pipe can be read only once",
                  "Give the program a file as its standard input: < FILE");
    }
  }
  void rewind() const {
    if (begin_ >= 0) lseek(STDIN_FILENO, begin_, SEEK_SET);
  }

 private:
  off_t begin_;
};

std::string line_text(const std::optional<std::string>& line) {
  return line ? printable(*line, longest_line) : "(nothing)";
}

std::string end_text(const program_outcome& of) {
  if (of.was_stopped) return "stopped by a finding";
  return of.signal != 0 ? fmt::format("ended by signal {}", of.signal) : fmt::format("exit code {}", of.exit_code);
}

/// How the two differ beside what they print.
bool ended_alike(const program_outcome& a, const program_outcome& b) {
  return a.was_stopped == b.was_stopped && a.signal == b.signal && (a.was_stopped || a.exit_code == b.exit_code);
}

resolved_finding dependence(const std::vector<std::string>& notes) {
  resolved_finding made{};
  made.record.kind = WARPZ_WARP_SIZE_DEPENDENCE;
  made.notes = notes;
  return made;
}

}  // namespace

program_outcome run_program(const program_run& what, const std::vector<std::string>& files) {
  running_program running(warpz_get_module, what);
  const program_end ended = running.wait();
  program_outcome result;
  result.files = files;
  result.warp_size = what.how.warp_size;
  result.was_stopped = ended.stopped;
  result.findings_left_out = ended.findings_left_out;
  if (WIFSIGNALED(ended.status)) {
    result.signal = static_cast<unsigned>(WTERMSIG(ended.status));
    result.exit_code = 128 + WTERMSIG(ended.status);
  } else {
    result.exit_code = WEXITSTATUS(ended.status);
  }
  const code_location code{what.library, ended.base, files.size() == 1 ? files.front() : ""};
  for (const warpz_finding& each : ended.findings) result.findings.push_back(resolved(each, code, nullptr));
  const auto fails = [](const resolved_finding& each) { return each.record.severity != WARPZ_WARNING; };
  if (std::any_of(result.findings.begin(), result.findings.end(), fails)) result.result = verdict::broken_rule;
  return result;
}

std::vector<program_outcome> run_with_both_warp_sizes(program_run what, const std::vector<std::string>& files,
                                                      const both_ways& how) {
  const repeated_input input;
  const auto run = [&](unsigned lanes, const std::function<void(std::string_view)>& print) {
    std::string output;
    what.how.warp_size = lanes;
    what.take_output = [&](std::string_view piece) {
      output += piece.substr(0, most_compared - output.size());
      print(piece);
    };
    input.rewind();
    program_outcome ended = run_program(what, files);
    ended.output = std::move(output);
    return ended;
  };
  how.begin(32);
  program_outcome first = run(32, how.print);
  how.end(first);
  how.begin(64);
  program_outcome second = run(64, how.print);
  std::vector<std::string> notes;
  if (!ended_alike(first, second)) {
    notes = {"with 32 lanes: " + end_text(first), "with 64 lanes: " + end_text(second)};
  } else if (first.output != second.output) {
    what.is_silent = true;
    const program_outcome again = run(32, [](std::string_view) {});
    if (const auto line = difference(first.output, second.output, again.output)) {
      notes = {fmt::format("what it prints differs first in line {}:", line->number),
               "with 32 lanes: " + line_text(line->first), "with 64 lanes: " + line_text(line->second)};
    }
  }
  if (!notes.empty()) {
    second.findings.push_back(dependence(notes));
    second.result = verdict::broken_rule;
  }
  how.end(second);
  return {std::move(first), std::move(second)};
}

}  // namespace warpz
