// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of this process after which it goes on, the machine's own and those of the checks. One that is made
// again is counted.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/finding_identity.hpp"

namespace simt {

struct published_finding {
  warpz::finding_identity identity;
  warpz_finding* record;
  std::uint64_t unchecked = 0;  ///< how often a race was an error
  bool is_guess = false;        ///< the pattern of a race was guessed each time
};

/// In the order in which they were published. Not locked: only one thread at a time makes findings.
std::vector<published_finding>& published_findings();

/// Counts one more of the finding that was published with this identity. Null: none was.
published_finding* count_repetition(const warpz::finding_identity& identity);

}  // namespace simt
