// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run that is made before it is asked for, beside others, by a forked copy of this process.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "process/child_process.hpp"
#include "system/descriptor.hpp"

namespace warpz {

class run_ahead {
 public:
  /// Begins at once, on one of `parts` parts of the cores. The copy calls `run`, which returns the result as bytes
  /// (pieces/bytes.hpp).
  run_ahead(std::size_t part, std::size_t parts, const std::function<std::string()>& run);

  /// Waits for the result. Nothing where the copy has failed, or `run` has thrown something.
  std::optional<std::string> take();

  std::size_t part() const { return part_; }

 private:
  void read_more();

  const std::size_t part_;
  std::optional<os::pipe_ends> pipe_;
  std::optional<child_process> child_;
  std::string bytes_;
};

}  // namespace warpz
