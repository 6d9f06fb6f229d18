// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which cores a worker computes on.
#pragma once

#include <cstddef>

namespace warpz {

/// Gives the calling process, which is this worker of a rank's, its share of the cores that it may use, where there is
/// one for each worker of the machine. A run takes all cores that it may use, and the threads of several workers would
/// wait for each other.
void take_cores(std::size_t worker, std::size_t workers_of_rank);

}  // namespace warpz
