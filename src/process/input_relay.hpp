// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Standard input for a program that is run more than once: each run reads the same.
//
// A file is read from the same place again. What comes through a pipe or from a terminal goes to the first run as it
// comes, and is kept for the others; a run that reads further than those before it gets what comes next.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace warpz {

class input_relay {
 public:
  input_relay();
  ~input_relay();
  input_relay(const input_relay&) = delete;
  input_relay& operator=(const input_relay&) = delete;

  /// Before each run. Throws error(no_device) where there is no pipe to be had.
  void begin();

  /// In the run's process: makes it the standard input.
  void become() const;

  /// In this one, once the run's process is there.
  void is_taken();

  /// Adds what to wait for, so that pass_on() has something to do.
  void await(std::vector<pollfd>& into) const;

  /// Passes on what is there. Throws error(bad_input) where it is more than can be kept.
  void pass_on();

  /// After each run.
  void end() noexcept;

 private:
  bool is_file() const { return begin_ >= 0; }
  bool is_short() const;

  off_t begin_;             ///< where a file is to be read from; -1: it is none
  std::string kept_;        ///< all that has come
  bool has_end_ = false;    ///< and no more will
  std::size_t passed_ = 0;  ///< of it, to this run
  int from_ = -1;           ///< the ends of this run's pipe
  int to_ = -1;
};

}  // namespace warpz
