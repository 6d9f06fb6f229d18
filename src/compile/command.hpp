// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs another program, such as a compiler, to its end: collects what it prints, and ends it with all that it started
// if it takes too long.
//
// It judges nothing: a failure of the other program is a result like any other.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

struct command {
  std::vector<std::string> words;        ///< the program, by a path, and its arguments
  std::vector<std::string> environment;  ///< NAME=value, beside the environment of this process
};

struct command_end {
  enum class cause { exited, killed, out_of_memory, too_large_file, too_much_read, not_started } end = cause::exited;
  /// The exit code; of killed the signal; of not_started the errno; of a limit MiB.
  int number = 0;
  std::string output;  ///< standard output and standard error together, at most max_output bytes of it

  bool succeeded() const { return end == cause::exited && number == 0; }
};

inline constexpr std::size_t max_output = std::size_t{1} << 18;

/// Runs the command with an empty standard input, and each of its processes with at most 4 GiB of memory, or nine
/// tenths of what is free, and files of at most 1 GiB: one with an array of any size would fill the disk. Together they
/// may read 1 GiB: a source that includes a device would never end. It is a process group of its own, none of which
/// is left when this returns. Calls `on_wait` from time to time with the seconds since the command began.
command_end run_command(const command& request, const std::function<void(double)>& on_wait = {});

/// The program's file: the word itself if it has a slash, else the first on PATH, then the first in these folders;
/// empty if there is none.
std::string find_program(std::string_view word, const std::vector<std::string>& folders = {});

}  // namespace warpz
