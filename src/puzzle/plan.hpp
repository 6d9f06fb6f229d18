// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a puzzle's kernel is launched: parameters, the elements of its arguments, blocks and their threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace warpz {

/// The shape of a product of matrices: the first has m rows and k columns, the second k rows and n columns.
struct matrix_shape {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;

  /// Elements of both matrices.
  std::uint64_t inputs() const { return std::uint64_t{m} * k + std::uint64_t{k} * n; }
  bool operator==(const matrix_shape&) const = default;
};

/// The smallest two square matrices that together hold so many numbers.
matrix_shape square_matrices(std::size_t numbers);

/// "64x32x16": m, n and k.
std::string text_of(const matrix_shape& shape);

/// What a kernel and its reference take beside the input.
struct parameters {
  unsigned warp_size = 32;
  float pivot = 0;          ///< only where the puzzle takes one
  matrix_shape shape = {};  ///< only where the puzzle takes one
};

/// How a run's numbers lie in memory and which threads work on them. The kernel's arguments are, in this order, its
/// output, its inputs, its state if it has one, the counts, and the pivot if the puzzle takes one.
struct plan {
  std::size_t output = 0;            ///< elements
  std::vector<std::size_t> inputs;   ///< elements of each; those beyond the run's size are zeros
  std::size_t state = 0;             ///< 32-bit words, which are zero before each launch; 0: the kernel takes none
  std::vector<std::int32_t> counts;  ///< `int size`, or the numbers that the puzzle has instead
  std::array<std::uint32_t, 2> grid = {1, 1};   ///< blocks
  std::array<std::uint32_t, 2> block = {1, 1};  ///< threads
  /// Consecutive elements that each thread writes, in the order of all blocks' threads; 0: none are a thread's own.
  unsigned elements_per_thread = 1;
  std::size_t row = 0;  ///< elements of a row, where thread (x, y) of the grid writes element x of row y

  /// The number of the block that writes an element of the output; nothing where blocks take parts in any order.
  std::optional<std::uint64_t> block_of(std::size_t element) const;

  bool operator==(const plan&) const = default;
};

/// How many parts of this length cover `size`; the last one may be shorter.
template <class Unsigned>
constexpr Unsigned ceil_div(Unsigned size, std::type_identity_t<Unsigned> length) {
  return (size + length - 1) / length;
}

/// One input and one output of `size` elements, and as many blocks of `threads` threads as are needed if each works on
/// `elements` of them. If a block has more elements than threads, or fewer, no thread has elements of its own.
plan plan_in_blocks(std::size_t size, std::uint32_t threads, std::size_t elements);

/// Blocks in which each thread works on one element.
plan plan_in_blocks(std::size_t size, std::uint32_t threads);

/// One input, one output and a state, for blocks that divide all elements among themselves. No thread has elements of
/// its own.
plan plan_in_few_blocks(std::size_t size, std::uint32_t threads, std::uint32_t blocks, std::size_t state);

}  // namespace warpz
