// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command that draws what a report is about.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/details.hpp"
#include "report/finding_words.hpp"
#include "report/suggested_command.hpp"

namespace warpz {
namespace {

/// How a kernel was launched.
struct launch_shape {
  std::uint64_t grid_x = 1;
  std::uint64_t grid_y = 1;
  unsigned threads = 0;  ///< of a block
};

/// The options of a trace that shows the finding: of its first block, and of the warp whose operation went wrong.
std::optional<std::string> traced_place(const symbolized_finding& found, const launch_shape& launched,
                                        unsigned warp_size) {
  const auto groups = groups_of(found.record);
  const auto first = std::find_if(groups.begin(), groups.end(), [](const auto& each) { return each.lanes != 0; });
  // A trace is of the blocks that were asked for.
  if (first == groups.end() || found.block_threads != 0) return {};
  const std::uint64_t block = first->block[0] + launched.grid_x * (first->block[1] + launched.grid_y * first->block[2]);
  std::string words = block == 0 ? "" : fmt::format(" --block {}", block);
  const bool is_of_warp = found.record.kind == WARPZ_DIVERGED_COLLECTIVE || found.record.kind == WARPZ_WRONG_MASK ||
                          found.record.kind == WARPZ_UNDEFINED_LANE_VALUE;
  if (is_of_warp && launched.threads > warp_size) words += fmt::format(" --warp {}", first->warp);
  return words;
}

/// The same of a wrong element: of the block that writes it.
std::optional<std::string> traced_place(const mismatch& wrong, const puzzle_outcome& result) {
  if (!result.launched.element_per_thread) return {};
  const std::size_t block = wrong.index / result.launched.block[0];
  return block == 0 ? "" : fmt::format(" --block {}", block);
}

/// The option of the order in which it was found.
std::string schedule_of(const symbolized_finding& found) {
  return found.schedule == 0 ? "" : fmt::format("--schedule-seed {}", found.schedule);
}

}  // namespace

std::optional<std::string> picture_command(const puzzle_outcome& result, const suggestion_style& style) {
  if (!style.can_trace || !result.on_cpu_machine) return {};
  std::optional<std::string> place;
  std::string schedule;
  if (const symbolized_finding* const found = first_reported(result)) {
    const plan& launched = result.launched;
    place = traced_place(*found, {launched.grid[0], launched.grid[1], launched.block[0] * launched.block[1]},
                         result.warp_size);
    if (place) schedule = schedule_of(*found);
  }
  // A dependence on the warp size is about no lane, and comes with its wrong result.
  if (!place && !result.first_mismatches.empty()) place = traced_place(result.first_mismatches.front(), result);
  if (!place) return {};
  return fmt::format("{}{} --trace -o {}", command_for(result, {.schedules = schedule}, style), *place, style.picture);
}

std::optional<std::string> picture_command(const user_program_outcome& result, const suggestion_style& style) {
  const symbolized_finding* const found = first_reported(result);
  if (!style.can_trace || !result.is_checked || found == nullptr || found->record.launch == 0) return {};
  const warpz_finding& record = found->record;
  const auto place = traced_place(*found, {record.grid[0], record.grid[1], record.threads}, result.warp_size);
  if (!place) return {};
  std::string command = fmt::format("{} {}", style.program, style.program_files);
  for (const std::string& options : {style.kept_options, schedule_of(*found)}) {
    if (!options.empty()) command += " " + options;
  }
  if (result.warp_size != parameters{}.warp_size) command += fmt::format(" --warp-size {}", result.warp_size);
  // Without it, the first launch that has the block is traced.
  if (record.launch != 1) command += fmt::format(" --launch {}", record.launch);
  return fmt::format("{}{} --trace -o {}{}", command, *place, style.picture, style.program_words);
}

}  // namespace warpz
