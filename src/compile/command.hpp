// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs another program, such as a compiler, to its end: catches what it prints, and ends it with all that it started
// where it takes too long or the user interrupts.
//
// It judges nothing: a failure of the other program is an answer like any other.
#pragma once

#include <signal.h>

#include <string>
#include <string_view>
#include <vector>

namespace warpz {

struct command {
  std::vector<std::string> words;        ///< the program, by a path, and its arguments
  std::vector<std::string> environment;  ///< NAME=value, beside what this process has
};

struct command_end {
  enum class how { exited, killed, overdue, interrupted, not_started } end = how::exited;
  int number = 0;      ///< the exit code; of killed the signal; of not_started the errno
  std::string output;  ///< standard output and standard error together, at most max_output bytes of it

  bool succeeded() const { return end == how::exited && number == 0; }
};

inline constexpr std::size_t max_output = std::size_t{1} << 18;

/// Runs the command with nothing on its standard input. It is a process group of its own, none of which is left when
/// this returns. Interrupted means that one of the signals that signals_held holds back is waiting.
command_end run_command(const command& what, double seconds);

/// Holds back the signals that end the program, as long as it lives: so there is time to tidy up first. A signal that
/// came meanwhile acts at the end of the lifetime.
class signals_held {
 public:
  signals_held();
  ~signals_held();
  signals_held(const signals_held&) = delete;
  signals_held& operator=(const signals_held&) = delete;

 private:
  sigset_t before_;
};

/// The program's file: the word itself where it has a slash, else the first on PATH, then the first in these folders;
/// empty where it is nowhere.
std::string find_program(std::string_view word, const std::vector<std::string>& folders = {});

}  // namespace warpz
