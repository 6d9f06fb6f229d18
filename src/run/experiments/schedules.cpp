// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/schedules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpz {
namespace {

/// Runs the code once with this variation, which comes from this seed. `dependence`: the finding if the result differs.
void explore(replay& code, const run_record& first, std::uint64_t seed, const variation& varied,
             warpz_finding_kind dependence, std::vector<symbolized_finding>& found) {
  if (!code.possible()) return;
  const unsigned block_threads = varied.blocks ? varied.blocks->block[0] : 0;
  const run_record& ran = code.run(varied);
  for (const warpz_finding& each : ran.findings) {
    add_unless_known(found, {each, ran.module_base, seed, block_threads});
  }
  // A run that was stopped has no result to compare, nor has one that has continued after a divergence.
  if (first.stopped || first.has_diverged || ran.stopped || !code.has_other_result()) return;
  const auto known = std::find_if(found.begin(), found.end(),
                                  [&](const symbolized_finding& each) { return each.record.kind == dependence; });
  if (known != found.end()) {
    ++known->record.repeats;
    return;
  }
  symbolized_finding finding{{}, 0, seed, block_threads};
  finding.record.kind = dependence;
  if (code.confirm(varied, finding)) found.push_back(std::move(finding));
}

}  // namespace

void explore_schedules(replay& code, const run_record& first, std::span<const std::uint64_t> seeds,
                       std::vector<symbolized_finding>& found) {
  for (const std::uint64_t seed : seeds) {
    variation order;
    order.perturbation.schedule = seed;
    order.name = fmt::format("in order {}", seed);
    explore(code, first, seed, order, WARPZ_SCHEDULE_DEPENDENCE, found);
    if (std::optional<plan> blocks = code.larger_blocks(seed)) {
      variation larger;
      larger.blocks = std::move(blocks);
      explore(code, first, seed, larger, WARPZ_BLOCK_SIZE_DEPENDENCE, found);
    }
  }
}

}  // namespace warpz
