// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/program_schedules.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace warpz {

std::optional<symbolized_finding> explore_program_schedules(const program_again& again, program_runs& ascending,
                                                            std::span<const std::uint64_t> seeds,
                                                            std::vector<located_finding>& found) {
  std::optional<symbolized_finding> dependence;
  for (const std::uint64_t seed : seeds) {
    program_result ran = again(seed);
    for (const warpz_finding& each : ran.end.findings) add_unless_known(found, {each, ran.end.base, seed});
    // What the program would have come to is not known.
    if (ascending.ends[0].stopped || ran.end.stopped) continue;
    program_runs permuted;
    permuted.add(std::move(ran));
    const auto different = [&] {
      return differences("in ascending order", ascending, fmt::format("in order {}", seed), permuted);
    };
    if (different().empty()) continue;
    if (dependence) {
      ++dependence->record.repeats;
      continue;
    }
    ascending.add(again(0));
    permuted.add(again(seed));
    std::vector<std::string> notes = different();
    if (notes.empty()) continue;
    dependence.emplace();
    dependence->record.kind = WARPZ_SCHEDULE_DEPENDENCE;
    dependence->schedule = seed;
    dependence->notes = std::move(notes);
  }
  return dependence;
}

}  // namespace warpz
