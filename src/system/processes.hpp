// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processes below this one: its children, their children, and so on.
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

/// All processes below this one, except `kept` and those below them.
std::vector<pid_t> descendants(const std::vector<pid_t>& kept);

/// Seconds that this process, those below it and those of them that have ended have taken of the processors.
double processor_seconds_of(pid_t process);

/// Bytes that this process, those below it and those of them that have ended have read, of files that they have not
/// mapped.
std::uint64_t bytes_read_by(pid_t process);

std::size_t threads_of_each(const std::vector<pid_t>& processes);

/// Bytes of memory that these processes hold without a file on a disk behind it, swapped or not. Memory that they share
/// counts once. Files in memory that they have open count, mapped or not, and so does what was added to /dev/shm since
/// `before` bytes were used there.
std::uint64_t memory_of(const std::vector<pid_t>& processes, std::uint64_t before);

/// At least as many bytes, computed faster: memory that they share counts for each of them.
std::uint64_t memory_of_each(const std::vector<pid_t>& processes, std::uint64_t before);

/// Bytes that are used in /dev/shm, by anybody.
std::uint64_t used_shared_memory();

/// Reaps threads of a child that had asked to be traced and have ended: the child cannot end before.
void reap_threads(pid_t child);

/// Kills and reaps all descendants, except `kept` and those below them, however fast they start others.
void end_descendants(const std::vector<pid_t>& kept) noexcept;

}  // namespace os
