// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One line on a terminal for whoever waits: how often the code has been run again. It is gone before anything else is
// written there.
#pragma once

#include <chrono>

#include "report/output_stream.hpp"

namespace warpz {

class progress_line {
 public:
  /// Where standard error is no terminal, or the user wants quiet, it shows nothing.
  progress_line(output_stream& error_stream, bool is_quiet);
  ~progress_line() { erase(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// The code is about to be run once more. Shown from the second second on, a few times in each.
  void tell_rerun();

  /// What comes next is counted anew.
  void erase();

 private:
  output_stream& to_;
  const bool shows_;
  bool is_there_ = false;
  unsigned count_ = 0;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace warpz
