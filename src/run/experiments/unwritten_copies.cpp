// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/unwritten_copies.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpz {
namespace {

/// What the memory is filled with: NaNs or -1, a number near 12 as a float, or small whole numbers, as flags have them.
constexpr std::array<std::uint32_t, 4> fills{WARPZ_FILL_BYTE | 0xff, WARPZ_FILL_BYTE | 0x41, WARPZ_FILL_MIXED,
                                             WARPZ_FILL_MIXED | 1};

variation filled_with(std::uint32_t fill) {
  variation varied;
  varied.perturbation.fill = fill;
  varied.name = fill == 0 ? "with zeros there" : "with other values there";
  return varied;
}

std::vector<symbolized_finding> errors_of(const run_record& ran, const std::vector<std::string>& notes) {
  std::vector<symbolized_finding> found;
  for (const warpz_finding& each : ran.findings) {
    if (!is_unwritten_copy(each)) continue;
    symbolized_finding& located = found.emplace_back(symbolized_finding{each, ran.module_base});
    located.record.severity = WARPZ_ERROR;
    located.notes = notes;
  }
  return found;
}

}  // namespace

bool has_unwritten_copies(const run_record& first) { return first.digest.unwritten != 0 && !first.stopped; }

bool is_unwritten_copy(const warpz_finding& finding) {
  return finding.kind == WARPZ_UNINITIALISED_READ && finding.group_count == 0;
}

std::vector<symbolized_finding> find_unwritten_copies(replay& code, const run_record& first, bool failed) {
  if (failed) return errors_of(first, {"the program fails"});
  code.run(filled_with(0));
  std::vector<variation> next;
  for (const std::uint32_t fill : fills) next.push_back(filled_with(fill));
  code.expect(std::move(next));
  code.set_baseline();
  for (const std::uint32_t fill : fills) {
    const run_record ran = code.run(filled_with(fill));
    symbolized_finding difference{};
    if (!code.is_same() && code.confirm(filled_with(fill), difference)) return errors_of(ran, difference.notes);
  }
  return {};
}

}  // namespace warpz
