// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under mpirun each rank is two processes at least: the rank's own, which passes messages on and does nothing else, and
// workers that it starts, each with the same command line. A worker that dies is started again; the rank lives on.
//
// WARPZ_WORKERS=N: N workers of each rank, and on one machine without mpirun, too; 0: each rank is a warpz of its own.
#pragma once

#include <cstddef>
#include <memory>

#include "pieces/worker.hpp"

namespace warpz {

/// In a worker: the way to its pieces. Null: there is neither mpirun nor WARPZ_WORKERS. In a rank's process it does not
/// return: that ends as the worker has ended which the user sees. Throws error(no_device) where MPI can't be used.
std::unique_ptr<asking_runner> join_ranks(char** arguments);

/// Becomes a rank with so many workers on this machine, unless WARPZ_WORKERS says how many: then it returns. As if it
/// had been set to `workers`.
void divide_here(char** arguments, std::size_t workers);

}  // namespace warpz
