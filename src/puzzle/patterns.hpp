// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers for --pattern, on which wrong kernels show that are right on the documented ones: those rise, fill whole
// warps, and are neither negative nor equal.
#pragma once

#include <span>
#include <string_view>

#include "puzzle/puzzle.hpp"

namespace warpz {

struct pattern {
  std::string_view name;
  void (*fill)(std::span<float> x, const puzzle& task, const parameters& values);
  /// Whether a right kernel of the puzzle is right on these numbers, whatever way it takes. Null: of each puzzle.
  bool (*fits)(const puzzle& task) = nullptr;
};

/// All of them, in the order of the choices of --pattern.
std::span<const pattern> patterns();

/// The pattern of this name; there is one.
const pattern& find_pattern(std::string_view name);

/// Whole numbers above 0, so small that all that a puzzle adds up is exact in every order: what is left out, or taken
/// twice, makes a difference that is no rounding.
inline constexpr std::string_view whole_pattern = "whole";

}  // namespace warpz
