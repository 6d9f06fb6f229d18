// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One line on a terminal while the user waits: how often the code has been run again, or on how many other inputs. It
// is erased before anything else is written there.
#pragma once

#include <chrono>
#include <string_view>

#include "report/output_stream.hpp"

namespace warpz {

class progress_line {
 public:
  /// Shows nothing with --quiet, or where standard error is not a terminal.
  progress_line(output_stream& error_stream, bool is_quiet);
  ~progress_line() { erase(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// To be called before each rerun, or run on another input. The line appears after a second, and changes a few times
  /// a second.
  void count_rerun() { count("run again", "time"); }
  void count_input() { count("tried on", "other input"); }

  /// A kernel still runs. The line appears after two seconds; `limit`: after so many it is stopped, 0: it is not.
  void show_running(double seconds, double limit);

  /// Prints a line that stays: the user's program is still running.
  void report_long_run(std::string_view program, double seconds, bool in_kernel);

  /// Erases the line, and starts counting again.
  void erase();

 private:
  void count(std::string_view action, std::string_view unit);

  output_stream& to_;
  const bool shows_;
  bool is_there_ = false;
  unsigned count_ = 0;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace warpz
