// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A puzzle as the host sees it: its name, its documented data, its reference.
//
// A puzzle knows nothing of backends, modules or processes; it describes one kernel's problem for any warp
// size and any number of elements. It registers itself by the last line of its puzzle.cpp, so no list of
// puzzles exists anywhere. Puzzles of one's own are read from folders and added while warpz runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "puzzle/magnitudes.hpp"
#include "puzzle/plan.hpp"

namespace warpz {

/// How a list is printed: `[1.0, 2.0]` or, as in some of the Mojo GPU Puzzles, `HostBuffer([1.0, 2.0])`.
enum class list_style { plain, host_buffer };

/// A puzzle's kernels: by communication of lanes, the traditional way through shared memory, or as fast as the memory.
/// In the order of --variant's choices.
enum class variant { warp, shared, tuned };

struct puzzle {
  int number = 0;      ///< the place in --list and --all; unique
  std::string flag;    ///< without the dashes: the folder's name
  std::string title;   ///< as in the verdict line
  std::string kernel;  ///< the kernel's name
  /// The variant through shared memory, in shared.hip; empty where there is none.
  std::string shared_kernel = {};
  /// The variant at the speed of the memory, in tuned.hip, which has its own plan (tuned_plan); empty where there is
  /// none.
  std::string tuned_kernel = {};
  /// The kernel's parameters; empty: `float* output, const float* input, int size`, and `float pivot` where the puzzle
  /// takes one.
  std::string kernel_takes = {};
  std::string summary;  ///< one line for --list and --help, at most 48 characters
  list_style style = list_style::plain;

  std::string_view size_label = "SIZE";
  unsigned documented_blocks = 1;
  /// Elements of the documented input; 0 means one per lane of a warp.
  std::size_t documented_size = 0;
  /// Threads of a block; 0: as many as a warp has lanes.
  unsigned block_threads = 0;
  /// Consecutive elements of a thread: 2 for a complex number. The last thread may have fewer.
  unsigned elements_per_thread = 1;
  /// Elements that a block works on at once, if more than its threads; 0: one for each thread.
  std::size_t tile = 0;
  /// Each warp has a result of its own, so that a block may as well consist of several warps. False where the block has
  /// the result: then a kernel may rely on its block beginning where its warp does.
  bool independent_warps = true;
  /// The one warp size that the task is for, such as a layout of 32 lanes; 0: any. It runs with no other.
  unsigned only_warp_size = 0;
  /// Where the kernel takes a `float pivot` after the size: the documented one.
  std::optional<float> documented_pivot = {};
  /// Where the puzzle multiplies matrices: the documented shape.
  std::optional<matrix_shape> documented_shape = {};

  /// The plan of a run on `size` numbers, at least 1. Null: one input and one output of that size, and
  /// elements_per_thread of each.
  std::function<plan(std::size_t size, const parameters& values)> plan_for = {};

  /// Fills the documented input; a longer one continues its pattern.
  std::function<void(std::span<float> x, unsigned warp_size)> documented_input = {};

  /// Computes the right output on the host in the plainest way, for any number of elements. x holds the inputs, one
  /// after the other. Where a block is a warp, each works on warp_size consecutive elements.
  std::function<void(std::span<const float> x, std::span<float> expected, const parameters& values)> reference = {};

  /// The sum of the magnitudes of the terms that element i adds up; for a mean, divided like the mean. Each order of
  /// additions rounds differently, and the difference grows with this sum. Null: the puzzle adds nothing, or in one
  /// order only, and the output must be equal to what is expected.
  std::function<double(std::span<const float> x, std::size_t i, const parameters& values, magnitude_sums& sums)>
      magnitudes = {};
  unsigned factors = 1;  ///< how many numbers of the input each of these terms multiplies
  /// The terms are fractions of the numbers: they round even if the numbers are whole.
  bool has_fractions = false;
  unsigned mean_of = 1;  ///< above 1: the sum is divided by the number of its terms, at most this

  /// Additions, multiplications, comparisons or moves that the task asks for, for each number of the input. For a
  /// product of matrices it is computed from their shape.
  double operations = 1;

  /// Several GPUs can divide the array among themselves (src/module/distributed_kernels.hip).
  bool is_distributed = false;

  /// The task defines the result for NaNs.
  bool takes_nans = false;

  /// The kind of warning (enum warpz_finding_kind) that the puzzle shows on purpose. With every access checked it has
  /// to appear. 0: none.
  std::uint32_t expected_finding = 0;

  /// The path that the kernel took, by its state after the launch; printed after the lists as `path: …`. Null: it has
  /// only one path.
  std::function<std::string_view(std::span<const std::uint32_t> state)> path = {};

  // Of a puzzle of one's own:

  /// Its folder; empty for the project's puzzles.
  std::string folder = {};
  /// The folder of --puzzles in which it was found.
  std::string found_in = {};
  /// The contents of its README.md, problem.hip and solution.hip.
  std::map<std::string, std::string, std::less<>> texts = {};
  /// What is right is known of the documented input alone.
  bool has_one_input = false;

  bool is_own() const { return !folder.empty(); }

  /// The kernel's name; empty where the puzzle has no such variant.
  const std::string& kernel_of(variant version) const {
    return version == variant::tuned ? tuned_kernel : version == variant::shared ? shared_kernel : kernel;
  }

  /// Elements of the documented input for this warp size.
  std::size_t size_for(unsigned warp_size) const { return documented_size != 0 ? documented_size : warp_size; }

  unsigned threads_of_a_block(unsigned warp_size) const { return block_threads != 0 ? block_threads : warp_size; }

  /// Elements of a block's threads.
  unsigned elements_of_a_block(unsigned warp_size) const { return threads_of_a_block(warp_size) * elements_per_thread; }
};

/// The parameters of the puzzle's kernels, without parentheses: "float* output, const float* input, int size". --list
/// prints them, and a user's kernel is found and called by them.
std::string signature_of(const puzzle& task);

/// The plan for so many numbers, with as many blocks as are needed.
plan plan_of(const puzzle& task, std::size_t size, const parameters& values);

/// The plan of a tuned kernel: blocks of 256 threads, and four consecutive elements for each. More elements per thread,
/// or a grid that only just fills the device, were slower (docs/benchmarks.md).
plan tuned_plan(std::size_t size);

/// A plan for the same numbers in blocks of more warps, which the seed chooses among those that `max_threads` allows.
/// Nothing where it chooses the usual blocks, and for a puzzle whose task is about blocks.
std::optional<plan> plan_in_larger_blocks(const puzzle& task, std::size_t size, const parameters& values,
                                          unsigned max_threads, std::uint64_t seed);

/// All puzzles, by number.
std::span<const puzzle* const> puzzles();

/// The puzzle with this flag; null where there is none.
const puzzle* find_puzzle(std::string_view flag);

/// Adds a puzzle of one's own behind the others, with the next number. No other may have its flag.
void add_puzzle(puzzle task);

/// Makes a puzzle known; used through WARPZ_PUZZLE.
struct puzzle_registration {
  explicit puzzle_registration(const puzzle& registered);
};

}  // namespace warpz

/// Registers a `const warpz::puzzle`: the last line of a puzzle.cpp.
#define WARPZ_PUZZLE(definition) \
  static const ::warpz::puzzle_registration warpz_puzzle_registration { definition }
