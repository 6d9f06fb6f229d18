// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/puzzle_warp_sizes.hpp"

#include <fmt/format.h>

#include <string>

#include "error.hpp"

namespace warpz {
namespace {

bool fits(const puzzle& task, const options& command) {
  if (task.only_warp_size == 0) return true;
  return !command.device.both_warp_sizes &&
         command.device.warp_size.value_or(task.only_warp_size) == task.only_warp_size;
}

/// The warp size for the puzzle; nothing: the device's.
std::optional<unsigned> warp_size_for(const puzzle& task, const options& command) {
  return task.only_warp_size != 0 ? task.only_warp_size : command.device.warp_size;
}

}  // namespace

std::vector<options> by_warp_size(const options& command) {
  std::vector<options> parts;
  for (const puzzle* const each : command.puzzles) {
    if (!fits(*each, command)) {
      if (command.all) continue;
      const std::string asked = command.device.both_warp_sizes ? "both" : std::to_string(*command.device.warp_size);
      throw error(
          exit_code::bad_input,
          fmt::format("--{} needs warps of {} lanes; --warp-size asks for {}", each->flag, each->only_warp_size, asked),
          "Leave --warp-size out.");
    }
    const std::optional<unsigned> warp_size = warp_size_for(*each, command);
    if (parts.empty() || parts.back().device.warp_size != warp_size) {
      parts.push_back(command);
      parts.back().device.warp_size = warp_size;
      parts.back().puzzles.clear();
    }
    parts.back().puzzles.push_back(each);
  }
  return parts;
}

}  // namespace warpz
