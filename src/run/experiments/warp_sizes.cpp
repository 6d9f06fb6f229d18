// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/warp_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "abi/text.h"
#include "findings/finding_filter.hpp"

namespace warpz {
namespace {

/// Removes the lines from the outcome: the dependence lists them as its cause.
void remove_assumptions(outcome& from) {
  std::erase_if(from.findings,
                [](const symbolized_finding& each) { return each.record.kind == WARPZ_WARP_SIZE_ASSUMPTION; });
}

void add_dependence(outcome& wrong, symbolized_finding dependence, suppressions* accepted) {
  dependence.record.kind = WARPZ_WARP_SIZE_DEPENDENCE;
  if (accepted != nullptr) dependence.suppressed = accepted->match(dependence);
  if (!dependence.suppressed) wrong.result = verdict::broken_rule;
  add_in_order(wrong.findings, std::move(dependence));
}

}  // namespace

void list_warp_size_assumptions(outcome& one, unsigned warp_size, std::span<const warp_size_line> lines,
                                suppressions* accepted) {
  const unsigned other = warp_size == 64 ? 32 : 64;
  // A tile of 64 threads is common where warps are not meant.
  const bool has_warps_of_64 = std::any_of(lines.begin(), lines.end(), [](const warp_size_line& each) {
    return each.size == 64 && each.is_of_lanes && !each.reason.empty();
  });
  if (other == 64 && !has_warps_of_64) return;
  for (const warp_size_line& each : lines) {
    if (each.size != other || each.reason.empty()) continue;
    symbolized_finding lint{};
    lint.record.kind = WARPZ_WARP_SIZE_ASSUMPTION;
    lint.record.severity = WARPZ_WARNING;
    std::snprintf(lint.record.message, sizeof lint.record.message, "%s", each.reason.c_str());
    lint.related.push_back({fmt::format("written for {} lanes", other), each.place.file, each.place.line});
    if (accepted != nullptr) lint.suppressed = accepted->match(lint);
    one.findings.push_back(std::move(lint));
  }
}

void compare_warp_sizes(puzzle_outcome& one, puzzle_outcome& other, std::span<const warp_size_line> lines,
                        suppressions* accepted) {
  if ((one.result == verdict::passed) == (other.result == verdict::passed)) return;
  const puzzle_outcome& right = one.result == verdict::passed ? one : other;
  puzzle_outcome& wrong = one.result == verdict::passed ? other : one;

  symbolized_finding dependence{};
  warpz_finding& record = dependence.record;
  warpz_copy_beginning(record.kernel, sizeof record.kernel, wrong.kernel.c_str());
  std::snprintf(record.message, sizeof record.message, "right with %u lanes in a warp, and %s with %u", right.warp_size,
                wrong.result == verdict::wrong_result ? "wrong" : "a broken rule", wrong.warp_size);
  warp_size_contrast& contrast = dependence.contrast.emplace();
  contrast.right = right.warp_size;
  contrast.wrong = wrong.warp_size;
  contrast.mismatch_count = wrong.mismatch_count;
  contrast.elements = wrong.expected.size();
  if (!wrong.first_mismatches.empty()) {
    contrast.first = wrong.first_mismatches.front();
    if (contrast.first->index < right.output.size()) contrast.right_output = right.output[contrast.first->index];
  }
  for (const warp_size_line& each : lines) {
    if (each.size == right.warp_size) contrast.hard_coded.push_back(each.place);
  }
  for (puzzle_outcome* const each : {&one, &other}) remove_assumptions(*each);
  add_dependence(wrong, std::move(dependence), accepted);
}

void compare_warp_sizes(program_replay& one, program_replay& other, const std::string& first_file,
                        std::span<const warp_size_line> lines, suppressions* accepted, user_program_outcome& second) {
  symbolized_finding dependence{};
  dependence.notes = baseline_differences(one, other);
  if (dependence.notes.empty()) return;
  dependence.whole_file = first_file;
  remove_assumptions(second);
  for (const unsigned size : {32U, 64U, 0U}) {
    // Whether the loops over a whole warp are to blame is known only where nothing else is.
    if (size == 0 && !dependence.related.empty()) break;
    for (const warp_size_line& each : lines) {
      if (each.size != size) continue;
      dependence.related.push_back(
          {size == 0 ? std::string(whole_warp_event) : fmt::format("written for {} lanes", size), each.place.file,
           each.place.line});
    }
  }
  add_dependence(second, std::move(dependence), accepted);
}

}  // namespace warpz
