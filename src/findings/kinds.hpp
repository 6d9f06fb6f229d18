// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one table of the kinds of findings: their names, their advice and what follows from them. Reports, suppressions
// and tests ask it; docs/checks.md explains each kind.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "abi/finding.h"

namespace warpz {

/// What to change in the next run to learn most about a finding.
enum class experiment {
  one_element,      ///< a single element: does it happen there, too?
  full_warps,       ///< an element for each lane: do only lanes without one go wrong?
  few_elements,     ///< few enough elements to work out by hand; in a partial warp full_warps first
  other_orders,     ///< other orders of the lanes: do they change the result?
  same_order,       ///< only the order or the blocks in which it was found
  other_warp_size,  ///< does it depend on the warp size?
  none,             ///< no other run shows more
};

/// Which findings of one kind, about the same memory of one kernel, have one cause and are reported as one.
enum class shared_cause {
  none,
  same_lines,      ///< all of their lines are the same
  common_line,     ///< what orders one pair of lines orders those that go on from there, too
  same_allocation  ///< buffers that were allocated at one line; their bytes are added
};

struct finding_kind {
  std::uint32_t id;              ///< enum warpz_finding_kind; 0: not a kind
  std::string_view name;         ///< in JSON, in --suppress files, and as the SARIF rule: "data_race"
  std::string_view noun;         ///< "data race"
  std::string_view plural_noun;  ///< "data races"
  std::string_view rule;         ///< what happened, where the finding itself does not say it
  std::string_view fix;          ///< advice, broken into lines; may be empty
  bool ends_kernel;              ///< so that there is no result
  experiment next;
  shared_cause cause = shared_cause::none;
  bool rule_has_count = false;  ///< the rule says how often
};

/// All kinds, without the one for destroyed records.
std::span<const finding_kind> finding_kinds();

/// The kind of this number. Any other number, from a destroyed record, is of the kind "unknown".
const finding_kind& kind_of(std::uint32_t id);

/// The kind of this name; null where there is none.
const finding_kind* kind_named(std::string_view name);

}  // namespace warpz
