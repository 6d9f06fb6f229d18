// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processes that this one has started, and all that those have started: how many, how much memory, and their end.
//
// Whoever has lost its parent becomes a child of this process, once adopt_orphans() was called.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace os {

/// From now on a process below this one that loses its parent becomes a child of this one.
void adopt_orphans();

/// Processes whose parent is this one.
std::vector<pid_t> children();

/// All below this process but `kept` and what is below those.
std::vector<pid_t> descendants(const std::vector<pid_t>& kept);

/// Bytes of memory that these processes hold and that no file backs. Memory that they share counts once.
std::uint64_t memory_of(const std::vector<pid_t>& processes);

/// The same or more, found faster: what they share counts for each of them.
std::uint64_t memory_of_each(const std::vector<pid_t>& processes);

/// Ends all descendants but `kept` and what is below those, however fast they start others.
void end_descendants(const std::vector<pid_t>& kept) noexcept;

}  // namespace os
