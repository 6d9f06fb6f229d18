// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/run_record.hpp"

#include <algorithm>

namespace warpz {

void drop_effects(std::vector<warpz_finding>& findings) {
  const auto is_race = [](const warpz_finding& each) {
    return each.kind == WARPZ_DATA_RACE && each.severity == WARPZ_ERROR;
  };
  if (std::none_of(findings.begin(), findings.end(), is_race)) return;
  std::erase_if(findings,
                [](const warpz_finding& each) { return each.kind == WARPZ_UNINITIALISED_READ && each.is_effect != 0; });
}

}  // namespace warpz
