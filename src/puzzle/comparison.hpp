// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges a kernel's output against what was expected.
//
// Equal values match (0 and -0 are equal), and so do two NaNs. A sum may differ by what another order of its additions
// would round, unless it is exact in every order: then it has to be equal. A sum that may overflow on the way may be
// whatever the overflow gives. Otherwise an infinity or a NaN matches nothing else, and an element that no lane has
// written matches nothing at all.
//
// A result that is only near is no proof: callers repeat the run on numbers whose sums are exact (rests_on_rounding).
// Sums of fractions are exact on no numbers, so near has to do for them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "puzzle/parts.hpp"
#include "puzzle/puzzle.hpp"

namespace warpz {

/// What an element of the output holds before the kernel runs: a NaN that arithmetic does not make.
inline constexpr std::uint32_t never_written_bits = 0x7fbadbad;

inline std::span<float> as_floats(std::span<std::byte> bytes) {
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

inline void fill_never_written(std::span<float> output) {
  fill_each(output, [](std::size_t) { return std::bit_cast<float>(never_written_bits); });
}

/// Whether this is an element that no lane has written.
inline bool never_written(float element) { return std::bit_cast<std::uint32_t>(element) == never_written_bits; }

/// One element that differs from what was expected, and who should have written it.
struct mismatch {
  std::size_t index;
  float output;
  float expected;
  unsigned block;
  unsigned warp;  ///< within the block
  unsigned lane;
  bool placed = true;  ///< false: no single thread writes it, and block, warp and lane mean nothing
};

/// How many mismatches are kept one by one; all are counted.
inline constexpr std::size_t max_mismatches_kept = 5;

struct comparison {
  std::size_t mismatch_count = 0;
  bool rests_on_rounding = false;  ///< an element that is not equal was accepted: exact sums have to decide
  std::vector<mismatch> first;     ///< by index, at most max_mismatches_kept
};

/// By how much element i may differ from what is expected, where its sum rounds.
double tolerance_of(const puzzle& task, std::span<const float> x, std::span<const float> expected, std::size_t i,
                    const parameters& values);

/// The largest power of two that divides all finite elements; 0 where all are 0.
double unit_of(std::span<const float> x);

/// In a float, magnitudes that add up to less than so many units are exact in every order.
inline constexpr double max_exact_units = 16'777'216;

/// Compares element by element. The puzzle's plan says which thread has written each.
comparison compare(const puzzle& task, std::span<const float> x, std::span<const float> output,
                   std::span<const float> expected, const parameters& values);

/// The first element that differs between two runs on the same input by more than rounding: at least one of them does
/// not match what is expected, and where the puzzle's results round, they are farther from each other than both
/// together may be from it. So bits that an atomic sum loses in one order only make no difference.
std::optional<std::size_t> first_difference(const puzzle& task, std::span<const float> x, std::span<const float> one,
                                            std::span<const float> other, std::span<const float> expected,
                                            const parameters& values);

}  // namespace warpz
