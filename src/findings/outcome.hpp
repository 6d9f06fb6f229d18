// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What came of running one puzzle: everything a report may want to say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abi/finding.h"
#include "error.hpp"
#include "puzzle/comparison.hpp"

namespace warpz {

/// A position in the kernel's source, found from an address.
struct source_line {
  std::string function;
  std::string file;
  unsigned line = 0;
};

/// The memory that a finding is about, as the kernel's source has it.
struct named_memory {
  std::string name;            ///< "input", "tile"; empty where it is not known
  std::int64_t index = 0;      ///< of the element; of a byte where the elements are not known
  std::uint64_t elements = 0;  ///< how many there are
  unsigned element_bytes = 1;
  bool floats = false;  ///< its elements are
};

/// The line of a file that accepts a finding.
struct suppressed_by {
  std::string file;  ///< as it was given
  unsigned line = 0;
  std::string reason = {};
};

/// What came of the same kernel with the other warp size, where exactly one of the two is right.
struct warp_size_contrast {
  unsigned right = 0;  ///< lanes of a warp with which the result is right
  unsigned wrong = 0;
  std::size_t mismatch_count = 0;            ///< wrong elements; 0 where the kernel broke a rule and has no result
  std::size_t elements = 0;                  ///< of the wrong output
  std::optional<mismatch> first = {};        ///< the first wrong element
  std::optional<float> right_output = {};    ///< the same element with the right warp size; nothing where there is none
  std::vector<source_line> hard_coded = {};  ///< operations that are written for one warp size; `function` is the code
};

/// A line of the source that a finding has to do with, beside those of its lanes and its stack.
struct related_line {
  std::string event;  ///< "allocated": what happened there
  std::string file;
  unsigned line = 0;
};

/// A finding in words: its call stack, innermost frame first, and its memory.
struct symbolized_finding {
  warpz_finding record;
  std::vector<source_line> stack;
  std::optional<named_memory> memory = {};
  bool shown_on_purpose = false;  ///< the puzzle is about it
  std::uint64_t schedule = 0;     ///< the seed of the order in which it was found; 0: ascending
  unsigned block_threads = 0;     ///< of the blocks that the seed has it run in, ascending; 0: those of the first run
  std::vector<related_line> related = {};
  std::vector<std::string> notes = {};  ///< further lines
  std::string whole_file = {};          ///< of a finding about a program as a whole: its first file
  std::optional<suppressed_by> suppressed = {};
  std::optional<warp_size_contrast> contrast = {};  ///< of a warp-size dependence
};

enum class verdict { passed, wrong_result, broken_rule };

/// Where the input came from.
struct input_source {
  enum class kind { documented, random, file } from = kind::documented;
  std::string detail;  ///< the seed or the file's name as given
};

struct outcome {
  const puzzle* of = nullptr;
  std::string backend;  ///< cpu, amd or nvidia
  bool watched = true;  ///< by the machine that checks every lane and can be of either warp size
  std::string device;
  unsigned warp_size = 0;
  std::size_t size = 0;
  input_source input;
  std::optional<float> pivot;
  std::optional<matrix_shape> shape;
  std::string kernel;             ///< its name in the module
  std::string source = {};        ///< the file that the kernel was compiled from just now; empty: not known
  plan launched;                  ///< what the kernel was run with
  std::string_view path;          ///< which of its ways the kernel took; empty where it has only one
  bool documented = true;         ///< the documents' own size, data, pivot and shape
  std::span<const float> output;  ///< valid until the next run; empty when the kernel was stopped
  std::span<const float> expected;
  verdict result = verdict::passed;
  std::size_t mismatch_count = 0;
  std::vector<mismatch> first_mismatches;  ///< at most five
  std::vector<symbolized_finding> findings;
  std::uint32_t findings_left_out = 0;  ///< at further places in the kernel
  double milliseconds = 0;              ///< of the kernel alone, as the device measured it
};

/// What came of a whole program of the user's.
struct program_outcome {
  std::vector<std::string> files;  ///< its sources, as given
  unsigned warp_size = 0;
  int exit_code = 0;         ///< its own; 128 and the signal's number where it was ended by one
  unsigned signal = 0;       ///< that ended it; 0 where it ended by itself
  bool was_stopped = false;  ///< by a finding: its own exit code is not known
  std::string output;        ///< what it printed, where that was kept: its beginning
  verdict result = verdict::passed;
  std::vector<symbolized_finding> findings;
  std::uint32_t findings_left_out = 0;
};

}  // namespace warpz
