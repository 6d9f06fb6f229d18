// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers for --pattern. They reveal kernels that are right on the documented numbers only, which ascend, fill whole
// warps, and are neither negative nor equal.
#pragma once

#include <span>
#include <string_view>

#include "puzzle/puzzle.hpp"

namespace warpz {

struct pattern {
  std::string_view name;
  void (*fill)(std::span<float> x, const puzzle& task, const parameters& values);
  /// Whether every correct kernel of the puzzle is right on these numbers. Null: for each puzzle.
  bool (*fits)(const puzzle& task) = nullptr;
};

/// All patterns, in the order of --pattern's choices.
std::span<const pattern> patterns();

/// The pattern of this name, which has to exist.
const pattern& find_pattern(std::string_view name);

/// Whole numbers above 0, so small that every puzzle's sums are exact in every order: an element that is left out, or
/// taken twice, makes a difference that cannot be rounding.
inline constexpr std::string_view whole_pattern = "whole";

}  // namespace warpz
