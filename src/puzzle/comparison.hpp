// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges a kernel's output against what was expected.
//
// Equal values match (0 and -0 are equal), and so do two NaNs; other finite values match where they differ by
// no more than the puzzle's tolerance. An infinity or a NaN matches nothing else, whatever the tolerance, and an
// element that no lane has written matches nothing at all.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "puzzle/puzzle.hpp"
#include "run/outcome.hpp"

namespace warpz {

/// How many mismatches are kept one by one; all are counted.
inline constexpr std::size_t most_mismatches_kept = 5;

struct comparison {
  std::size_t mismatch_count = 0;
  std::vector<mismatch> first;  ///< by index, at most most_mismatches_kept
};

/// Compares element by element. Thread i of all blocks has written element i, unless the puzzle's plan says otherwise.
comparison compare(const puzzle& of, std::span<const float> x, std::span<const float> output,
                   std::span<const float> expected, const parameters& with);

/// The first element that two runs on the same input made different: not both match what was expected, and where the
/// puzzle has a tolerance, they are farther from each other than both may be from that. Bits that an atomic sum loses
/// in one order and not in another make no difference.
std::optional<std::size_t> first_difference(const puzzle& of, std::span<const float> x, std::span<const float> one,
                                            std::span<const float> other, std::span<const float> expected,
                                            const parameters& with);

}  // namespace warpz
