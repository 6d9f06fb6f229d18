// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sandbox for a child process that runs a stranger's code: a list of the system calls that kernels need, no
// capabilities, and only some files to read. docs/security.md says what it prevents and what it does not.
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

/// Confines this process, which has one thread, until its end. It can write to what is open; it cannot open anything
/// else for writing, nor create, rename or remove files, start or trace processes, send signals to others, open
/// sockets, or change a terminal's settings. With Landlock, it can read only what is `readable`.
confinement_gaps confine(const confinement& allowed);

/// From now on this process, which has one thread, is ended by SIGSYS where it would change what outlives it: where it
/// opens a file for writing or removes one, starts a process, opens a socket, or sends a signal to another process.
/// What is open can still be written to. Why the system does not allow that; empty if it does.
std::string end_at_changes();

/// For the process that judges others: no process of the same user can trace it, or read or change its memory. This
/// holds for a child that it forks, too, until the child calls allow_inspection(), without which its memory cannot be
/// counted.
void forbid_inspection();
void allow_inspection();

}  // namespace warpz
