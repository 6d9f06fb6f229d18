// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/located_finding.hpp"

#include <algorithm>
#include <iterator>

namespace warpz {
namespace {

/// The limit for findings of other orders and blocks than the first run's.
constexpr std::ptrdiff_t max_findings = 32;

/// Whether the same calls of the module made the memory. Addresses below the module are those of warpz itself, which
/// may have reached the two runs in different ways.
bool is_same_maker(const located_finding& a, const located_finding& b) {
  return std::equal(std::begin(a.record.allocated_at), std::end(a.record.allocated_at), b.record.allocated_at,
                    [&](std::uint64_t one, std::uint64_t other) {
                      const bool is_outside = one < a.module_base && other < b.module_base;
                      return is_outside || one == other || one - a.module_base == other - b.module_base;
                    });
}

/// The same kind at the same places. All crashes of a kind are the same, as they have no places.
bool is_same(const located_finding& a, const located_finding& b) {
  const warpz_finding &one = a.record, &other = b.record;
  if (one.kind != other.kind || one.memory != other.memory || one.argument != other.argument) return false;
  const std::uint32_t groups = std::min<std::uint32_t>(one.group_count, 2);
  // No lane is part of a wrong or missing free.
  if (groups == 0 && !is_same_maker(a, b)) return false;
  if (std::min<std::uint32_t>(other.group_count, 2) != groups) return false;
  const auto place_of = [](const located_finding& finding, std::uint32_t group) {
    const warpz_lane_group& which = finding.record.groups[group];
    return which.code != 0 ? which.code - finding.module_base : which.place.line;
  };
  const auto equal = [&](std::uint32_t of_a, std::uint32_t of_b) { return place_of(a, of_a) == place_of(b, of_b); };
  if (groups == 2 && equal(0, 1) && equal(1, 0)) return true;
  for (std::uint32_t i = 0; i < groups; ++i) {
    if (!equal(i, i)) return false;
  }
  return true;
}

}  // namespace

void add_unless_known(std::vector<located_finding>& found, const located_finding& one) {
  if (std::any_of(found.begin(), found.end(), [&](const auto& known) { return is_same(known, one); })) return;
  const auto of_other_orders =
      std::count_if(found.begin(), found.end(), [](const auto& each) { return each.schedule != 0; });
  if (of_other_orders < max_findings) found.push_back(one);
}

}  // namespace warpz
