// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/located_finding.hpp"

#include <algorithm>
#include <cstddef>

#include "abi/finding_identity.hpp"

namespace warpz {
namespace {

/// The limit for findings of other orders and blocks than the first run's.
constexpr std::ptrdiff_t max_findings = 32;

}  // namespace

void add_unless_known(std::vector<located_finding>& found, const located_finding& one) {
  const finding_identity identity = identity_of(one.record, one.module_base);
  const auto is_same = [&](const located_finding& each) {
    return identity_of(each.record, each.module_base) == identity;
  };
  if (std::any_of(found.begin(), found.end(), is_same)) return;
  const auto of_other_orders =
      std::count_if(found.begin(), found.end(), [](const auto& each) { return each.schedule != 0; });
  if (of_other_orders < max_findings) found.push_back(one);
}

}  // namespace warpz
