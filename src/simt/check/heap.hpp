// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a whole program allocates, for --check all: where each buffer was made and given back, what the host
// has written to it, and whether it is still there.
//
// A buffer lies in addresses of its own, with others on either side that belong to nobody. What was given back is kept
// for a while, so that who still uses it is found. Calls wait for the end of a launch by another thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::check {

/// From now on allocations are watched, and what is left of them is told when the process ends.
void watch_heap();
bool is_heap_watched();

/// Memory aligned to a page. `host_can_write`: nobody knows what it holds. Null where there is no address space.
void* allocate(std::size_t bytes, bool host_can_write);

/// Of allocate(); the memory stays for a while, and belongs to nobody.
void release(void* begin);

/// Tells of a second release, if it is one.
void note_unknown_release(void* pointer);

/// The host has written there.
void note_host_write(const void* begin, std::size_t bytes);

}  // namespace simt::check
