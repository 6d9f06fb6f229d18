// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose operands a lane's value stands for in the course of a scan.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "trace/trace.hpp"

namespace warpz {

/// A scan is a row of collectives of one call of the library's scan, or of upward shuffles whose values are joined by
/// an operation that gathers them. Of other upward shuffles, such as those of differences, nothing is told.
class scan_cover {
 public:
  /// The first and last of neighboring lanes; nothing for the value before the first of an exclusive scan.
  using lane_range = std::optional<std::pair<unsigned, unsigned>>;

  explicit scan_cover(const trace& run);

  /// For each lane, the lanes whose values its value has joined after the step; null where that is not known.
  const std::vector<lane_range>* after(std::size_t step) const;

 private:
  std::map<std::size_t, std::vector<lane_range>> after_;
};

}  // namespace warpz
