// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/unset_reads.hpp"

#include <algorithm>
#include <cstdint>

#include "abi/text.h"

namespace warpz {
namespace {

/// What each byte is: about 12 as a float, with which the others are compared; then NaNs or -1, zeros, the largest
/// numbers, negative ones, and small ones. In a minimum or a comparison one of them makes a difference.
constexpr std::uint32_t first_byte = 0x41;
constexpr std::uint32_t later_bytes[] = {0xff, 0, 0x7f, 0xfe, 1};

bool is_unset_read(const symbolized_finding& each) {
  const warpz_finding& record = each.record;
  return record.kind == WARPZ_UNINITIALISED_READ && record.severity == WARPZ_ERROR && record.group_count != 0 &&
         (record.memory == WARPZ_MEMORY_SHARED || record.memory == WARPZ_MEMORY_DYNAMIC_SHARED);
}

variation with_bytes(std::uint32_t byte, std::uint64_t max_steps) {
  constexpr std::uint32_t is_given = 0x100;
  variation varied;
  varied.perturbation.unset = is_given | byte;
  varied.perturbation.comparison = WARPZ_COMPARE_DIGEST;
  // For the hash of device memory.
  varied.perturbation.raced = WARPZ_RACED_WATCH;
  // An endless loop shows by its steps.
  varied.perturbation.max_steps = max_steps;
  varied.name = "with other values in shared memory";
  return varied;
}

bool is_unset_value_unused(replay& code) {
  const run_record ordinarily = code.run(with_bytes(first_byte, 0));
  if (ordinarily.stopped || ordinarily.has_diverged) return false;
  const std::uint64_t max_steps = 4 * ordinarily.digest.steps + 100'000;
  std::vector<variation> later;
  for (const std::uint32_t byte : later_bytes) later.push_back(with_bytes(byte, max_steps));
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
  if (std::none_of(found.begin(), found.end(), is_unset_read) || !is_unset_value_unused(code)) return;
  for (symbolized_finding& each : found) {
    if (!is_unset_read(each)) continue;
    each.record.severity = WARPZ_WARNING;
    warpz_copy_beginning(
        each.record.message, sizeof each.record.message,
        "a lane reads shared memory that nobody has written; with other values there nothing is different");
  }
}

}  // namespace warpz
