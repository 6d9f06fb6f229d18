// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/unset_reads.hpp"

#include <algorithm>
#include <cstdint>

#include "abi/text.h"

namespace warpz {
namespace {

/// Bytes that are about 12 as a float, with which the others are compared; then NaNs or -1, zeros, the largest numbers,
/// negative ones, and small whole ones, with which a flag or a state is compared. In a minimum or a comparison one of
/// them makes a difference, and where two are equal or cancel each other, the last ones do.
constexpr std::uint32_t first_fill = WARPZ_FILL_BYTE | 0x41;
constexpr std::uint32_t later_fills[] = {WARPZ_FILL_BYTE | 0xff, WARPZ_FILL_BYTE,  WARPZ_FILL_BYTE | 0x7f,
                                         WARPZ_FILL_BYTE | 0xfe, WARPZ_FILL_MIXED, WARPZ_FILL_MIXED | 1,
                                         WARPZ_FILL_MIXED | 2};

bool is_unset_read(const symbolized_finding& each) {
  const warpz_finding& record = each.record;
  return record.kind == WARPZ_UNINITIALISED_READ && record.severity == WARPZ_ERROR && record.group_count != 0 &&
         (record.memory == WARPZ_MEMORY_SHARED || record.memory == WARPZ_MEMORY_DYNAMIC_SHARED);
}

/// An endless loop shows by its steps, long before the time runs out.
std::uint64_t most_steps(std::uint64_t steps) { return 4 * steps + 100'000; }

variation filled_with(std::uint32_t fill, std::uint64_t max_steps) {
  variation varied;
  varied.perturbation.unset = fill;
  varied.perturbation.comparison = WARPZ_COMPARE_DIGEST;
  // For the hash of device memory.
  varied.perturbation.raced = WARPZ_RACED_WATCH;
  varied.perturbation.max_steps = max_steps;
  varied.name = "with other values in shared memory";
  return varied;
}

bool is_unset_value_unused(replay& code, std::uint64_t first_steps) {
  // Of a lock that nobody has set, the first run may have found it free.
  const run_record ordinarily = code.run(filled_with(first_fill, most_steps(first_steps)));
  if (ordinarily.stopped || ordinarily.has_diverged) return false;
  const std::uint64_t max_steps = most_steps(ordinarily.digest.steps);
  std::vector<variation> later;
  for (const std::uint32_t fill : later_fills) later.push_back(filled_with(fill, max_steps));
  code.expect(later);
  code.set_baseline();
  return std::all_of(later.begin(), later.end(), [&](const variation& varied) {
    const run_record ran = code.run(varied);
    return !ran.stopped && code.is_same() && ran.digest.hash == ordinarily.digest.hash &&
           ran.digest.memory == ordinarily.digest.memory && ran.digest.copied == ordinarily.digest.copied;
  });
}

}  // namespace

void judge_unset_reads(replay& code, const run_record& first, std::vector<symbolized_finding>& found) {
  if (first.stopped || first.has_diverged || !code.possible()) return;
  if (std::none_of(found.begin(), found.end(), is_unset_read) || !is_unset_value_unused(code, first.digest.steps))
    return;
  for (symbolized_finding& each : found) {
    if (!is_unset_read(each)) continue;
    each.record.severity = WARPZ_WARNING;
    warpz_copy_beginning(
        each.record.message, sizeof each.record.message,
        "a lane reads shared memory that nobody has written; with other values there nothing is different");
  }
}

}  // namespace warpz
