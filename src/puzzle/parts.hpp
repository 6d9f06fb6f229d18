// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work on large arrays on all cores, for references and comparisons.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "system/pages.hpp"

namespace warpz {

/// Divides `count` items, of `elements` each, into parts for all cores, and calls work(begin, end) for each part; once
/// for all items where they are few. Throws what work throws. No part may write what another one writes or reads.
void for_each_part(std::size_t count, std::size_t elements,
                   const std::function<void(std::size_t begin, std::size_t end)>& work);

/// x[i] = number(i).
template <class Number>
void fill_each(std::span<float> x, const Number& number) {
  for_each_part(x.size(), 1, [&](std::size_t begin, std::size_t end) {
    os::find_pages(&x[begin], (end - begin) * sizeof(float));
    for (std::size_t i = begin; i < end; ++i) x[i] = number(i);
  });
}

/// Copies to the beginning of `target`.
inline void copy_in_parts(std::span<const float> source, std::span<float> target) {
  for_each_part(source.size(), 1, [&](std::size_t begin, std::size_t end) {
    os::find_pages(&target[begin], (end - begin) * sizeof(float));
    std::copy(source.begin() + begin, source.begin() + end, target.begin() + begin);
  });
}

/// The length of a piece. Unlike parts, pieces are the same on any number of cores. The last one may be empty.
inline constexpr std::size_t piece_elements = std::size_t{1} << 14;

constexpr std::size_t pieces_of(std::size_t size) { return size / piece_elements + 1; }

/// Calls work(i, begin, end) for the pieces of `size` elements, on all cores.
template <class Work>
void for_each_piece(std::size_t size, const Work& work) {
  for_each_part(pieces_of(size), piece_elements, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) work(i, i * piece_elements, std::min((i + 1) * piece_elements, size));
  });
}

/// Calls work(begin, end, before, all) for the pieces of `size` elements, on all cores. `before` is the total of the
/// elements before the piece, `all` that of all elements. of_piece(begin, end) is the total of one piece,
/// add(before, piece) adds it to the total before it, and `first` is the total before the first piece.
template <class Total, class OfPiece, class Add, class Work>
void for_each_continued_piece(std::size_t size, const Total& first, const OfPiece& of_piece, const Add& add,
                              const Work& work) {
  std::vector<Total> before(pieces_of(size) + 1, first);
  for_each_piece(size,
                 [&](std::size_t i, std::size_t begin, std::size_t end) { before[i + 1] = of_piece(begin, end); });
  for (std::size_t i = 0; i + 1 < before.size(); ++i) before[i + 1] = add(before[i], before[i + 1]);
  for_each_piece(
      size, [&](std::size_t i, std::size_t begin, std::size_t end) { work(begin, end, before[i], before.back()); });
}

/// Like for_each_continued_piece(), where the total is the number of elements for which the condition holds.
template <class Condition, class Work>
void for_each_counted_piece(std::span<const float> x, const Condition& condition, const Work& work) {
  const auto count = [&](std::size_t begin, std::size_t end) {
    return static_cast<std::size_t>(std::count_if(x.begin() + begin, x.begin() + end, condition));
  };
  for_each_continued_piece(x.size(), std::size_t{0}, count, std::plus<>(), work);
}

/// The sum in doubles, first of each piece, then of the pieces, so that it is the same on any number of cores. A sum of
/// many floats, one after the other, would be far off.
double sum_in_parts(std::span<const float> x);

/// Sorts the numbers in ascending order, NaNs last; equal ones keep their order.
void sort_in_parts(std::span<const float> x, std::span<float> sorted);

}  // namespace warpz
