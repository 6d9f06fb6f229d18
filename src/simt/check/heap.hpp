// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a whole user program allocates, for --check all: where each buffer was allocated and freed, what the
// host has written to it, and whether it still exists. Finds double frees and leaks; accesses are checked elsewhere.
//
// A buffer has addresses of its own, between guards that belong to nothing. Freed memory is kept for a while, so that
// later accesses to it are found. Calls wait for the end of a launch by another thread.
#pragma once

#include "simt/machine/machine.hpp"

namespace simt {

/// With --check all, checks the user program's allocations from now on, and reports leaks at the end of the process.
SIMT_API void check_allocations();

}  // namespace simt
