// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace warpz {
namespace {

using std::chrono::steady_clock;

constexpr auto patience = std::chrono::seconds(1);
constexpr double long_run = 2;
constexpr auto interval = std::chrono::milliseconds(200);

/// To a terminal: go to the beginning of the line and erase it.
constexpr const char* clear_line = "\r\x1b[K";

}  // namespace

progress_line::progress_line(output_stream& error_stream, bool is_quiet)
    : to_(error_stream),
      shows_(!is_quiet && isatty(STDERR_FILENO) == 1),
      tells_warpz_(!shows_ && std::getenv(progress_variable) != nullptr),
      next_(steady_clock::now() + patience) {}

void progress_line::count(std::string_view action, std::string_view unit) {
  ++count_;
  const auto now = steady_clock::now();
  if (!shows_ || now < next_) return;
  next_ = now + interval;
  is_there_ = true;
  to_.write(fmt::format("{}checking: {} {} {}{}", clear_line, action, count_, unit, count_ == 1 ? "" : "s"));
  to_.flush();
}

void progress_line::show_running(double seconds, unsigned source_line, double limit) {
  const auto now = steady_clock::now();
  if (!(shows_ || tells_warpz_) || seconds < long_run || now < next_) return;
  next_ = now + interval;
  is_there_ = shows_;
  const std::string place = source_line == 0 ? "" : fmt::format("line {}, ", source_line);
  const std::string end = limit == 0 ? "" : fmt::format(". It is stopped after {:.3g} s", limit);
  to_.write(fmt::format("{}{}{}{:.0f} s{}{}", shows_ ? clear_line : "", running_words, place, seconds, end,
                        shows_ ? "" : "\n"));
  to_.flush();
}

void progress_line::report_long_run(std::string_view program, double seconds, bool in_kernel) {
  if (!shows_) return;
  write_notice(to_, fmt::format("warpz: {} has run for {:.0f} seconds{}\n", program, seconds,
                                in_kernel ? "; a kernel is running (--time-limit ends one that takes too long)" : ""));
  to_.flush();
}

void progress_line::erase() {
  count_ = 0;
  next_ = steady_clock::now() + patience;
  if (!is_there_) return;
  is_there_ = false;
  to_.write(clear_line);
  to_.flush();
}

}  // namespace warpz
