// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The known names that a mistyped one probably stands for: rather none than a far-fetched one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

/// Insertions, deletions, replacements and swaps of two neighbors that turn one text into the other (optimal string
/// alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The names that `typed` may stand for, in the order of `known`, at most four: those of which it is the beginning or a
/// word, or the reverse; else the nearest by edit distance, if at most a third of the name's letters differ, and the
/// first letter of a short name does not. Capital letters and underscores count as small letters and dashes.
std::vector<std::string_view> nearest(std::string_view typed, std::span<const std::string_view> known);

/// "a", "a or b", "a, b or c", each with `prefix` before it.
std::string alternatives(std::span<const std::string_view> names, std::string_view prefix = {});

}  // namespace warpz
