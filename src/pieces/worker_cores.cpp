// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pieces/worker_cores.hpp"

#include <algorithm>

#include "pieces/rank_variables.hpp"
#include "system/usable_cores.hpp"

namespace warpz {

void take_cores(std::size_t worker, std::size_t workers_of_rank) {
  const auto rank = static_cast<std::size_t>(number_in({"OMPI_COMM_WORLD_LOCAL_RANK"}).value_or(0));
  const auto ranks = static_cast<std::size_t>(number_in({"OMPI_COMM_WORLD_LOCAL_SIZE"}).value_or(1));
  const std::size_t workers = std::max(ranks, rank + 1) * workers_of_rank, number = rank * workers_of_rank + worker;
  os::keep_part_of_cores(number, workers);
}

}  // namespace warpz
