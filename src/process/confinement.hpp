// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What keeps a child process that runs a stranger's code to itself: a list of the system calls that kernels need, no
// capabilities, and only some files to read. docs/security.md says what this holds and what it does not.
#pragma once

#include <string>
#include <vector>

namespace warpz {

struct confinement {
  std::vector<std::string> readable;  ///< files, and folders with all that is in them, beside the system's libraries
  std::vector<int> open;              ///< descriptors that stay open, beside the standard streams
};

/// Why the system does not allow something; empty if it does.
struct confinement_gaps {
  std::string all;      ///< any confinement
  std::string reading;  ///< to keep files from being read
};

/// Confines this process for good; it has one thread. What is open can be written to, but nothing else opened for
/// writing, created, renamed or removed; no process started or traced, and none but this one be sent signals; no
/// socket opened, no terminal's settings changed. By Landlock, only what is `readable` can be read.
confinement_gaps confine(const confinement& allowed);

/// Of the process that judges others: none of the same user can trace it, or read or change its memory. A child that it
/// forks is like it until it calls allow_inspection(), without which its memory cannot be counted.
void forbid_inspection();
void allow_inspection();

}  // namespace warpz
