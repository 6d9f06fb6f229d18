// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that a host program has got from malloc or new, which a device does not reach.
#pragma once

#include <cstdint>

namespace simt {

struct launch_request;

namespace check {

/// A lane has allocated memory, which lies in the same heap: from now on nothing is the host's.
void note_lane_allocation();

/// Whether an argument of the launch points to the beginning of memory of the host's heap that holds the address.
bool is_of_host_heap(const launch_request& request, std::uintptr_t address);

}  // namespace check
}  // namespace simt
