// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of many causes are needed for an effect: delta debugging (Zeller and Hildebrandt, "Simplifying and isolating
// failure-inducing input", 2002).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace warpz {

/// Whether a run with some of the causes has the effect.
enum class effect { shows, passes, not_tried };

template <class T>
struct smallest_part_result {
  std::vector<T> left;
  bool is_smallest = true;  ///< without any one of these the effect is gone; false: there was no more time to try
};

namespace detail {

template <class T>
std::vector<T> between(const std::vector<T>& all, std::size_t begin, std::size_t end) {
  return {all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)};
}

template <class T>
std::vector<T> without(const std::vector<T>& all, std::size_t begin, std::size_t end) {
  std::vector<T> rest = between(all, 0, begin);
  rest.insert(rest.end(), all.begin() + static_cast<std::ptrdiff_t>(end), all.end());
  return rest;
}

}  // namespace detail

/// A part of `all`, which has the effect, that still has it, and no longer has it without any one of its elements.
/// None at all have to be without the effect. `try_part` tells the effect of a part; its elements keep their order.
template <class T, class TryPart>
smallest_part_result<T> smallest_part(std::vector<T> all, const TryPart& try_part) {
  std::size_t pieces = 2;
  while (all.size() >= 2) {
    pieces = std::min(pieces, all.size());
    const auto begin_of = [&](std::size_t piece) { return all.size() * piece / pieces; };
    bool is_smaller = false;
    // Of two pieces, each is what is left without the other.
    for (std::size_t i = 0; i < pieces && !is_smaller; ++i) {
      std::vector<T> part = detail::between(all, begin_of(i), begin_of(i + 1));
      const effect tried = try_part(part);
      if (tried == effect::not_tried) return {std::move(all), false};
      if (tried != effect::shows) continue;
      all = std::move(part);
      pieces = 2;
      is_smaller = true;
    }
    for (std::size_t i = 0; pieces > 2 && i < pieces && !is_smaller; ++i) {
      std::vector<T> part = detail::without(all, begin_of(i), begin_of(i + 1));
      const effect tried = try_part(part);
      if (tried == effect::not_tried) return {std::move(all), false};
      if (tried != effect::shows) continue;
      all = std::move(part);
      --pieces;
      is_smaller = true;
    }
    if (is_smaller) continue;
    if (pieces == all.size()) break;
    pieces *= 2;
  }
  return {std::move(all), true};
}

}  // namespace warpz
