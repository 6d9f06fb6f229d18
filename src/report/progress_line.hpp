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
  /// It shows nothing if standard error is not a terminal, or with --quiet.
  progress_line(output_stream& error_stream, bool is_quiet);
  ~progress_line() { erase(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// Count a rerun, or a run on another input, that is about to begin. The line appears after a second, and changes a
  /// few times per second.
  void count_rerun() { count("run again", "time"); }
  void count_input() { count("tried on", "other input"); }

  /// A line of its own, which stays: the user's program still runs.
  void tell_of_long_run(std::string_view program, double seconds, bool in_kernel);

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
