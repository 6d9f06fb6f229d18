// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a puzzle is, seen from the host: its name, its documented data, its reference.
//
// A puzzle knows nothing of backends, modules or processes; it describes one kernel's problem for any warp
// size and any number of elements. It registers itself by the last line of its puzzle.cpp, so no list of
// puzzles exists anywhere.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace warpz {

/// How the documents print a list: `[1.0, 2.0]` or `HostBuffer([1.0, 2.0])`.
enum class list_style { plain, host_buffer };

/// What a kernel is run with, beside its input.
struct parameters {
  unsigned warp_size = 32;
  float pivot = 0;  ///< only where the puzzle takes one
};

struct puzzle {
  int number = 0;            ///< the place in --list and --all; unique
  std::string_view flag;     ///< without the dashes: the folder's name
  std::string_view title;    ///< as in the verdict line
  std::string_view kernel;   ///< the kernel's name, as the documents have it
  std::string_view summary;  ///< one line for --list and --help, at most 48 characters
  list_style style = list_style::plain;

  std::string_view size_label = "SIZE";
  unsigned documented_blocks = 1;
  /// Elements of the documented input; 0 means one per lane of a warp.
  std::size_t documented_size = 0;
  /// The kernel takes a `float pivot` behind the size, and this is the documented one.
  std::optional<float> documented_pivot = {};

  /// Fills the documented input; defined for any length (it goes on in the documents' pattern).
  void (*documented_input)(std::span<float> x, unsigned warp_size) = nullptr;

  /// The right output, computed in the plainest way on the host, for any number of elements. Each warp works on
  /// warp_size consecutive elements.
  void (*reference)(std::span<const float> x, std::span<float> expected, const parameters& with) = nullptr;

  /// The allowed |output - expected| of element i. Null: the two must be equal.
  double (*tolerance)(std::span<const float> x, std::span<const float> expected, std::size_t i,
                      const parameters& with) = nullptr;

  /// Elements of the documented input for this warp size.
  std::size_t size_for(unsigned warp_size) const { return documented_size != 0 ? documented_size : warp_size; }
};

/// All puzzles, by number.
std::span<const puzzle* const> puzzles();

/// The puzzle with this flag; null where there is none.
const puzzle* find_puzzle(std::string_view flag);

/// Makes a puzzle known; used through WARPZ_PUZZLE.
struct puzzle_registration {
  explicit puzzle_registration(const puzzle& registered);
};

}  // namespace warpz

/// Registers a `constexpr warpz::puzzle`: the last line of a puzzle.cpp.
#define WARPZ_PUZZLE(definition) \
  static const ::warpz::puzzle_registration warpz_puzzle_registration { definition }
