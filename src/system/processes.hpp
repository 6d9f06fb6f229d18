// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processes below this one: those that it has started, and all that those have started.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace os {

/// From now on, a process below this one that loses its parent becomes a child of this one.
void adopt_orphans();

/// Processes whose parent is this one.
std::vector<pid_t> children();

/// All processes below this one but `kept` and those below them.
std::vector<pid_t> descendants(const std::vector<pid_t>& kept);

std::size_t threads_of_each(const std::vector<pid_t>& processes);

/// Bytes of memory that these processes hold and that no file on a disk backs, swapped or not. Memory that they share
/// counts once. They need not have mapped it: it counts where they have a file in memory open, and what has come to
/// /dev/shm since `before` bytes were used there counts, too.
std::uint64_t memory_of(const std::vector<pid_t>& processes, std::uint64_t before);

/// The same or more, computed faster: memory that they share counts for each of them.
std::uint64_t memory_of_each(const std::vector<pid_t>& processes, std::uint64_t before);

/// Bytes that are used in /dev/shm, by whomever.
std::uint64_t used_shared_memory();

/// Reaps the threads of a child that have had themselves traced and ended. Until then the child does not end.
void reap_threads(pid_t child);

/// Kills and reaps all descendants but `kept` and those below them, however fast they start others.
void end_descendants(const std::vector<pid_t>& kept) noexcept;

}  // namespace os
