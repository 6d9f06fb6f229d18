// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a puzzle is, seen from the host: its name, its documented data, its reference.
//
// A puzzle knows nothing of backends, modules or processes; it describes one kernel's problem for any warp
// size and any number of elements. It registers itself by the last line of its puzzle.cpp, so no list of
// puzzles exists anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "puzzle/magnitudes.hpp"
#include "puzzle/plan.hpp"

namespace warpz {

/// How the documents print a list: `[1.0, 2.0]` or `HostBuffer([1.0, 2.0])`.
enum class list_style { plain, host_buffer };

/// Which of a puzzle's kernels: the lanes' own communication, the traditional way through shared memory, or the one
/// that is as fast as the memory. In the order of the choices of --variant.
enum class variant { warp, shared, tuned };

struct puzzle {
  int number = 0;           ///< the place in --list and --all; unique
  std::string_view flag;    ///< without the dashes: the folder's name
  std::string_view title;   ///< as in the verdict line
  std::string_view kernel;  ///< the kernel's name, as the documents have it
  /// The kernel that does the same through shared memory, in shared.hip; empty where there is none.
  std::string_view shared_kernel = {};
  /// The kernel that does the same at the speed of the memory, in tuned.hip, for a plan of its own (tuned_plan); empty
  /// where there is none.
  std::string_view tuned_kernel = {};
  /// What the kernel takes, as its definition has it; empty: `float* output, const float* input, int size`, and
  /// `float pivot` where the puzzle takes one.
  std::string_view kernel_takes = {};
  std::string_view summary;  ///< one line for --list and --help, at most 48 characters
  list_style style = list_style::plain;

  std::string_view size_label = "SIZE";
  unsigned documented_blocks = 1;
  /// Elements of the documented input; 0 means one per lane of a warp.
  std::size_t documented_size = 0;
  /// Threads of a block; 0: as many as a warp has lanes.
  unsigned block_threads = 0;
  /// Consecutive elements that make up a thread's one: 2 where it is a complex number. The last thread may lack some.
  unsigned elements_per_thread = 1;
  /// Elements that a block works on at once, where they are more than its threads; 0: one for each thread.
  std::size_t tile = 0;
  /// A block may as well be several warps, each of which has a result of its own. Not where it is the block that has
  /// one: a kernel that asks where its block begins is right as long as that is where its warp does.
  bool independent_warps = true;
  /// The one warp size that the task is for, such as a layout of 32 lanes; 0: any. It runs with no other.
  unsigned only_warp_size = 0;
  /// The kernel takes a `float pivot` behind the size, and this is the documented one.
  std::optional<float> documented_pivot = {};
  /// The puzzle multiplies matrices, and these are the documented ones.
  std::optional<matrix_shape> documented_shape = {};

  /// The plan of a run on `size` numbers, at least 1. Null: one input and one output of that size, and
  /// elements_per_thread of each.
  plan (*plan_for)(std::size_t size, const parameters& values) = nullptr;

  /// Fills the documented input; defined for any length (it goes on in the documents' pattern).
  void (*documented_input)(std::span<float> x, unsigned warp_size) = nullptr;

  /// The right output, computed in the plainest way on the host, for any number of elements: x holds the inputs, one
  /// behind the other. Where a block is a warp, each works on warp_size consecutive elements.
  void (*reference)(std::span<const float> x, std::span<float> expected, const parameters& values) = nullptr;

  /// The magnitudes of the terms that element i adds up, together; of a mean, divided as it is. A sum rounds in each
  /// order in another way, and how far results may be from each other grows with these. Null: the puzzle adds nothing,
  /// or in one order alone, and the output must be equal to what is expected.
  double (*magnitudes)(std::span<const float> x, std::size_t i, const parameters& values,
                       magnitude_sums& sums) = nullptr;
  unsigned factors = 1;  ///< numbers of the input in each of these terms, multiplied
  /// The terms are fractions of the numbers, which round also where those are whole.
  bool has_fractions = false;
  unsigned mean_of = 1;  ///< the sum is divided by the number of its terms, which are at most so many

  /// Additions, multiplications, comparisons or moves that the task asks for, for each number of the input; of a
  /// product of matrices their shape says how many.
  double operations = 1;

  /// Several GPUs can divide the array among themselves (src/module/distributed_kernels.hip).
  bool is_distributed = false;

  /// The task says what becomes of NaNs.
  bool takes_nans = false;

  /// The kind of finding (enum warpz_finding_kind) that the puzzle shows on purpose: with every access checked it has
  /// to appear, and is no failure. 0: none.
  std::uint32_t expected_finding = 0;

  /// Which of its ways the kernel took, told by its state after the launch: printed behind the lists as `path: …`.
  /// Null: there is one way only.
  std::string_view (*path)(std::span<const std::uint32_t> state) = nullptr;

  /// The kernel's name; empty where the puzzle has no such variant.
  std::string_view kernel_of(variant version) const {
    return version == variant::tuned ? tuned_kernel : version == variant::shared ? shared_kernel : kernel;
  }

  /// Elements of the documented input for this warp size.
  std::size_t size_for(unsigned warp_size) const { return documented_size != 0 ? documented_size : warp_size; }

  unsigned threads_of_a_block(unsigned warp_size) const { return block_threads != 0 ? block_threads : warp_size; }

  /// Elements that its threads have.
  unsigned elements_of_a_block(unsigned warp_size) const { return threads_of_a_block(warp_size) * elements_per_thread; }
};

/// What a kernel of the puzzle takes, without the parentheses: "float* output, const float* input, int size". The one
/// place that knows: --list prints it, and a user's kernel is found and called by it.
std::string signature_of(const puzzle& task);

/// The plan for so many numbers, with as many blocks as it takes.
plan plan_of(const puzzle& task, std::size_t size, const parameters& values);

/// The plan of a tuned kernel: blocks of 256 threads, and four consecutive elements a thread. More elements a thread,
/// or a grid that only just fills the device, were slower (docs/benchmarks.md).
plan tuned_plan(std::size_t size);

/// The plan for the same numbers in blocks of more warps, which a seed chooses from what `max_threads` allows. Nothing
/// where it comes to the same blocks, and of a puzzle that is about its blocks.
std::optional<plan> plan_in_larger_blocks(const puzzle& task, std::size_t size, const parameters& values,
                                          unsigned max_threads, std::uint64_t seed);

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
