// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/warp_sizes.hpp"

#include <cstdio>

#include "source/warp_size_literals.hpp"
#include "system/file_content.hpp"

namespace warpz {
void compare_warp_sizes(puzzle_outcome& one, puzzle_outcome& other, const std::string& source, suppressions* accepted) {
  if ((one.result == verdict::passed) == (other.result == verdict::passed)) return;
  const puzzle_outcome& right = one.result == verdict::passed ? one : other;
  puzzle_outcome& wrong = one.result == verdict::passed ? other : one;

  symbolized_finding found{};
  found.record.kind = WARPZ_WARP_SIZE_DEPENDENCE;
  std::snprintf(found.record.kernel, sizeof found.record.kernel, "%s", wrong.kernel.c_str());
  std::snprintf(found.record.message, sizeof found.record.message, "right with %u lanes in a warp, and %s with %u",
                right.warp_size, wrong.result == verdict::wrong_result ? "wrong" : "a broken rule", wrong.warp_size);
  warp_size_contrast contrast;
  contrast.right = right.warp_size;
  contrast.wrong = wrong.warp_size;
  contrast.mismatch_count = wrong.mismatch_count;
  contrast.elements = wrong.expected.size();
  if (!wrong.first_mismatches.empty()) {
    contrast.first = wrong.first_mismatches.front();
    if (contrast.first->index < right.output.size()) contrast.right_output = right.output[contrast.first->index];
  }
  if (!source.empty()) {
    contrast.hard_coded = warp_size_literals(os::content_of(source).value_or(""), source, right.warp_size);
  }
  found.contrast = std::move(contrast);
  if (accepted != nullptr) found.suppressed = accepted->match(found);
  if (!found.suppressed) wrong.result = verdict::broken_rule;
  wrong.findings.push_back(std::move(found));
}

}  // namespace warpz
