// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/schedules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "abi/finding_identity.hpp"
#include "findings/outcome_fields.hpp"
#include "pieces/bytes.hpp"
#include "run/experiments/schedule_shrink.hpp"

namespace warpz {
namespace {

/// Where a result differs, those that are already expected are made one after the other.
constexpr std::size_t orders_ahead = 32;

variation in_order(std::uint64_t seed) {
  variation order;
  order.perturbation.schedule = seed;
  order.name = fmt::format("in order {}", seed);
  return order;
}

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

void explore_all(replay& code, const run_record& first, std::span<const std::uint64_t> seeds,
                 std::vector<symbolized_finding>& found) {
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const std::uint64_t seed = seeds[i];
    if (i % orders_ahead == 0) {
      std::vector<variation> next;
      for (const std::uint64_t each : seeds.subspan(i, std::min(orders_ahead, seeds.size() - i)))
        next.push_back(in_order(each));
      code.expect(std::move(next));
    }
    explore(code, first, seed, in_order(seed), WARPZ_SCHEDULE_DEPENDENCE, found);
    if (std::optional<plan> blocks = code.larger_blocks(seed)) {
      variation larger;
      larger.blocks = std::move(blocks);
      explore(code, first, seed, larger, WARPZ_BLOCK_SIZE_DEPENDENCE, found);
    }
  }
}

bool is_of_results(const symbolized_finding& one) {
  return one.record.kind == WARPZ_SCHEDULE_DEPENDENCE || one.record.kind == WARPZ_BLOCK_SIZE_DEPENDENCE;
}

/// Adds what a later part of the seeds has found, as if it had known of what the earlier ones have.
void add_part(std::vector<symbolized_finding>& found, const std::vector<symbolized_finding>& part) {
  for (const symbolized_finding& each : part) {
    const auto known = std::find_if(found.begin(), found.end(), [&](const symbolized_finding& other) {
      return other.record.kind == each.record.kind;
    });
    if (!is_of_results(each)) {
      add_unless_known(found, each);
    } else if (known == found.end()) {
      found.push_back(each);
    } else {
      known->record.repeats += each.record.repeats + 1;
    }
  }
}

std::uint64_t job_identity(std::span<const std::uint64_t> seeds, std::uint64_t code) {
  return hash_of(fmt::format("{} orders from {} on", seeds.size(), seeds.front()), code);
}

/// Shrinks the orders of what was found in other ones. `is_compared`: this process has compared the results itself.
void shrink_all(replay& code, std::vector<symbolized_finding>& found, bool is_compared) {
  std::optional<schedule_shrink> shrinking;
  for (symbolized_finding& each : found) {
    if (each.schedule == 0 || each.block_threads != 0 || !code.possible()) continue;
    if (!is_compared && each.record.kind == WARPZ_SCHEDULE_DEPENDENCE) {
      const variation order = in_order(each.schedule);
      symbolized_finding same = each;
      if (code.run(order).stopped || !code.has_other_result() || !code.confirm(order, same)) continue;
    }
    if (!shrinking) shrinking.emplace(code);
    shrinking->shrink(each);
  }
}

}  // namespace

void explore_schedules(replay& code, const run_record& first, std::span<const std::uint64_t> seeds,
                       std::vector<symbolized_finding>& found, piece_runner* runner, std::uint64_t code_identity) {
  if (seeds.empty()) return;
  if (runner == nullptr) {
    explore_all(code, first, seeds, found);
    return shrink_all(code, found, true);
  }
  const std::vector<symbolized_finding> in_ascending_order = found;
  const std::size_t count = runner->pieces_for(seeds.size());
  const auto begin_of = [&](std::size_t piece) { return seeds.size() * piece / count; };
  runner->run(
      {count, job_identity(seeds, code_identity)},
      [&](std::size_t piece) {
        std::vector<symbolized_finding> part = in_ascending_order;
        explore_all(code, first, seeds.subspan(begin_of(piece), begin_of(piece + 1) - begin_of(piece)), part);
        part.erase(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(in_ascending_order.size()));
        return bytes_of(part);
      },
      [&](std::size_t, const std::string& bytes) {
        std::vector<symbolized_finding> part;
        read_bytes(bytes, part);
        add_part(found, part);
      });
  if (!runner->is_helper()) shrink_all(code, found, false);
}

}  // namespace warpz
