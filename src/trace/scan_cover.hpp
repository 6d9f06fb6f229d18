// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose operands a lane's value holds in the course of a scan.
#pragma once

#include <utility>
#include <vector>

#include "trace/trace.hpp"

namespace warpz {

/// Follows the steps of each warp. A scan is a row of collectives of one call by that name, or of upward shuffles.
class scan_cover {
 public:
  explicit scan_cover(unsigned warp_size) : warp_size_(warp_size) {}

  void follow(const trace_step& step);
  /// Whether the last step is one of a scan.
  bool is_of_scan() const { return is_scan_; }
  /// The first and last of the neighboring lanes that this lane's value holds after the last step.
  std::pair<unsigned, unsigned> of(unsigned lane) const { return held_[lane]; }

 private:
  const unsigned warp_size_;
  bool is_scan_ = false;
  unsigned warp_ = 0, line_ = 0;
  std::string operation_;
  std::vector<std::pair<unsigned, unsigned>> held_;
};

}  // namespace warpz
