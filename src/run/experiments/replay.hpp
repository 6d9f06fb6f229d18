// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that has run once and is run again with one thing varied: a kernel on the same data, or a whole user program.
//
// The experiments (schedules.hpp, undefined_values.hpp) vary the code through this interface. Each kind of code judges
// for itself what a difference is: elements of an output, or the exit code and the lines printed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abi/module.h"
#include "findings/outcome.hpp"
#include "process/run_record.hpp"
#include "puzzle/plan.hpp"

namespace warpz {

/// How a run differs from the first one.
struct variation {
  warpz_perturbation perturbation = {};
  std::optional<plan> blocks = {};             ///< for a kernel; nothing: as in the first run
  std::optional<double> timeout_seconds = {};  ///< nothing: as in the first run; 0: no limit
  std::string name = {};                       ///< "in order 3": what messages call the run
  std::optional<std::uint32_t> rules = {};     ///< enum warpz_rules; nothing: as in the first run

  bool operator==(const variation&) const = default;
};

class replay {
 public:
  virtual ~replay() = default;

  /// False if a run has destroyed the data that the code works on.
  virtual bool possible() const { return true; }

  /// The runs that will most likely be asked for next, the likeliest first: code that takes long may begin them at
  /// once. Of those expected before, the others are not.
  virtual void expect(std::vector<variation>) {}

  /// Runs the code again; nothing that it prints is shown. The result is valid until the next run.
  virtual const run_record& run(const variation& varied) = 0;

  /// From now on, runs are compared with the last run, no longer with the first one.
  virtual void set_baseline() = 0;

  /// Whether the last run ended like the baseline and produced exactly the same.
  virtual bool is_same() const = 0;

  /// Adds to the finding where the last run differs from the baseline.
  virtual void describe_difference(symbolized_finding& finding) const = 0;

  /// Whether the last run's result differs from the baseline's by more than rounding.
  virtual bool has_other_result() const { return !is_same(); }

  /// Repeats the baseline and the last run, which was varied like this and had another result. Returns whether the
  /// variation is the cause, and then describes the difference.
  virtual bool confirm(const variation& varied, symbolized_finding& finding) = 0;

  /// Whether the last run, which was varied like this, still differs from the baseline when both are repeated. Their
  /// output may contain a time, or something else that changes by itself.
  virtual bool differs_again(const variation&) { return true; }

  /// Larger blocks that a kernel says it can run in, chosen by the seed; nothing if there are none.
  virtual std::optional<plan> larger_blocks(std::uint64_t) const { return {}; }
};

/// Whether the same last finding stopped both runs. Runs whose time ran out count as the same: where their lanes are
/// then is chance.
bool same_stop(std::span<const warpz_finding> a, std::span<const warpz_finding> b);

}  // namespace warpz
