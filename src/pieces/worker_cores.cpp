// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pieces/worker_cores.hpp"

#include <sched.h>

#include <algorithm>

#include "pieces/rank_variables.hpp"

namespace warpz {

void take_cores(std::size_t worker, std::size_t workers_of_rank) {
  const auto rank = static_cast<std::size_t>(number_in({"OMPI_COMM_WORLD_LOCAL_RANK"}).value_or(0));
  const auto ranks = static_cast<std::size_t>(number_in({"OMPI_COMM_WORLD_LOCAL_SIZE"}).value_or(1));
  const std::size_t workers = std::max(ranks, rank + 1) * workers_of_rank, number = rank * workers_of_rank + worker;
  cpu_set_t usable, own;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return;
  const auto cores = static_cast<std::size_t>(CPU_COUNT(&usable));
  if (cores < workers) return;
  const std::size_t begin = cores * number / workers, end = cores * (number + 1) / workers;
  CPU_ZERO(&own);
  for (std::size_t core = 0, passed = 0; passed < end; ++core) {
    if (!CPU_ISSET(core, &usable)) continue;
    if (passed++ >= begin) CPU_SET(core, &own);
  }
  sched_setaffinity(0, sizeof own, &own);
}

}  // namespace warpz
