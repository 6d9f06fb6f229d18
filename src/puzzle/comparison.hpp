// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges a kernel's output against what was expected.
//
// Equal values match (0 and -0 are equal), and so do two NaNs; other finite values match where they differ by
// no more than the puzzle's tolerance. An infinity or a NaN matches nothing else, whatever the tolerance, and an
// element that no lane has written matches nothing at all.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "puzzle/puzzle.hpp"

namespace warpz {

/// What an element of the output holds before the kernel runs: a NaN that arithmetic does not make.
inline constexpr std::uint32_t never_written_bits = 0x7fbadbad;

inline std::span<float> as_floats(std::span<std::byte> bytes) {
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

inline void fill_never_written(std::span<float> output) {
  std::fill(output.begin(), output.end(), std::bit_cast<float>(never_written_bits));
}

/// No lane has written this element of an output.
inline bool never_written(float element) { return std::bit_cast<std::uint32_t>(element) == never_written_bits; }

/// One element that differs from what was expected, and who should have written it.
struct mismatch {
  std::size_t index;
  float output;
  float expected;
  unsigned block;
  unsigned warp;  ///< within the block
  unsigned lane;
  bool placed = true;  ///< false: no single thread writes it, and block, warp and lane say nothing
};

/// How many mismatches are kept one by one; all are counted.
inline constexpr std::size_t max_mismatches_kept = 5;

struct comparison {
  std::size_t mismatch_count = 0;
  std::vector<mismatch> first;  ///< by index, at most max_mismatches_kept
};

/// Compares element by element. Thread i of all blocks has written element i, unless the puzzle's plan says otherwise.
comparison compare(const puzzle& task, std::span<const float> x, std::span<const float> output,
                   std::span<const float> expected, const parameters& values);

/// The first element that two runs on the same input made different: not both match what was expected, and where the
/// puzzle has a tolerance, they are farther from each other than both may be from that. Bits that an atomic sum loses
/// in one order and not in another make no difference.
std::optional<std::size_t> first_difference(const puzzle& task, std::span<const float> x, std::span<const float> one,
                                            std::span<const float> other, std::span<const float> expected,
                                            const parameters& values);

}  // namespace warpz
