// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One line on a terminal while the user waits: how often the code has been run again, or on how many other inputs. It
// is erased before anything else is written there.
#pragma once

#include <chrono>
#include <string_view>

#include "report/output_stream.hpp"

namespace warpz {

/// Where it is set, a run that is not on a terminal tells another warpz, line by line, that a kernel still runs.
inline constexpr const char* progress_variable = "WARPZ_PROGRESS";
inline constexpr std::string_view running_words = "still running: ";

class progress_line {
 public:
  /// Shows nothing with --quiet, or where standard error is not a terminal; but for `progress_variable`.
  progress_line(output_stream& error_stream, bool is_quiet);
  ~progress_line() { erase(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// To be called before each rerun, or run on another input. The line appears after a second, and changes a few times
  /// a second.
  void count_rerun() { count("run again", "time"); }
  void count_input() { count("tried on", "other input"); }

  /// A kernel still runs, and executes this line of its source; 0: unknown. Appears after two seconds; `limit`: after
  /// so many it is stopped, 0: it is not.
  void show_running(double seconds, unsigned source_line, double limit);

  /// Prints a line that stays: the user's program is still running.
  void report_long_run(std::string_view program, double seconds, bool in_kernel);

  /// Erases the line, and starts counting again.
  void erase();

 private:
  void count(std::string_view action, std::string_view unit);

  output_stream& to_;
  const bool shows_;
  const bool tells_warpz_;
  bool is_there_ = false;
  unsigned count_ = 0;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace warpz
