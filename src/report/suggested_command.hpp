// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command that repeats a puzzle's run, or one like it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "report/report.hpp"

namespace warpz {

/// How a suggested run differs from the reported one.
struct change {
  std::optional<std::size_t> size = {};
  std::optional<unsigned> warp_size = {};
  std::optional<std::string> schedules = {};  ///< options
  bool on_cpu_machine = false;
};

std::string command_for(const puzzle_outcome& result, const change& changes, const suggestion_style& style);

}  // namespace warpz
