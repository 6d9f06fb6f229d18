// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands that draw a report's findings and wrong elements.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "findings/kinds.hpp"
#include "report/details.hpp"
#include "report/finding_words.hpp"
#include "report/suggested_command.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// How a kernel was launched.
struct launch_shape {
  std::uint64_t grid_x = 1;
  std::uint64_t grid_y = 1;
  unsigned threads = 0;  ///< in a block
};

/// The options of a trace that shows the finding: its first block, and the warp whose operation went wrong. Nothing
/// where no lane is to blame: a launch that devices refuse, memory that the host frees twice, work that it does not
/// order.
std::optional<std::string> traced_place(const symbolized_finding& found, const launch_shape& launched,
                                        unsigned warp_size) {
  const auto groups = groups_of(found.record);
  const auto first = std::find_if(groups.begin(), groups.end(), [](const auto& each) { return each.lanes != 0; });
  // A trace shows the puzzle's own blocks only.
  const bool is_of_host = found.record.kind == WARPZ_INVALID_LAUNCH || found.record.kind == WARPZ_ASYNC_RACE;
  if (first == groups.end() || found.block_threads != 0 || is_of_host) return {};
  const std::uint64_t block = first->block[0] + launched.grid_x * (first->block[1] + launched.grid_y * first->block[2]);
  std::string words = block == 0 ? "" : fmt::format(" --block {}", block);
  const bool is_of_warp = found.record.kind == WARPZ_DIVERGED_COLLECTIVE || found.record.kind == WARPZ_WRONG_MASK ||
                          found.record.kind == WARPZ_UNDEFINED_LANE_VALUE;
  if (is_of_warp && launched.threads > warp_size) words += fmt::format(" --warp {}", first->warp);
  return words;
}

/// The options of a trace that shows a wrong element: the block that writes it.
std::optional<std::string> traced_place(const mismatch& wrong, const puzzle_outcome& result) {
  const auto block = result.launched.block_of(wrong.index);
  if (!block) return {};
  return *block == 0 ? "" : fmt::format(" --block {}", *block);
}

/// The option for the order in which the finding was found.
std::string schedule_of(const symbolized_finding& found) {
  return found.schedule == 0 ? "" : fmt::format("--schedule-seed {}", found.schedule);
}

/// "data race at mine.hip:6".
std::string words_of(const symbolized_finding& found) {
  const std::string_view noun = kind_of(found.record.kind).noun;
  for (const warpz_lane_group& each : groups_of(found.record)) {
    if (each.place.line != 0)
      return fmt::format("{} at {}:{}", noun, printable(bounded(each.place.file)), each.place.line);
  }
  if (found.stack.empty() || found.stack.front().line == 0) return std::string(noun);
  return fmt::format("{} at {}:{}", noun, printable(found.stack.front().file), found.stack.front().line);
}

/// Each command once, with what it draws.
class picture_list {
 public:
  void add(const std::string& command, const std::string& words) {
    const auto known =
        std::find_if(all_.begin(), all_.end(), [&](const item& each) { return each.command == command; });
    if (known == all_.end()) {
      all_.push_back({command, words, 0});
    } else {
      ++known->more;
    }
  }

  std::vector<picture> take() const {
    std::vector<picture> pictures;
    for (const item& each : all_) {
      const std::string more =
          each.more == 0 ? "" : fmt::format(", and {} more finding{}", each.more, each.more == 1 ? "" : "s");
      pictures.push_back({each.command, each.words + more});
    }
    return pictures;
  }

 private:
  struct item {
    std::string command, words;
    unsigned more;
  };
  std::vector<item> all_;
};

}  // namespace

std::vector<picture> pictures_of(const puzzle_outcome& result, const suggestion_style& style) {
  if (!style.can_trace || !result.on_cpu_machine) return {};
  const plan& launched = result.launched;
  const launch_shape shape{launched.grid[0], launched.grid[1], launched.block[0] * launched.block[1]};
  picture_list all;
  const auto add = [&](const std::optional<std::string>& place, const std::string& schedule, const std::string& words) {
    if (!place) return;
    all.add(
        fmt::format("{}{} --trace -o {}", command_for(result, {.schedules = schedule}, style), *place, style.picture),
        words);
  };
  for (const symbolized_finding& each : result.findings) {
    if (!each.suppressed) add(traced_place(each, shape, result.warp_size), schedule_of(each), words_of(each));
  }
  // A dependence on the warp size has no lanes; the wrong result that is reported with it has.
  if (!result.first_mismatches.empty()) {
    const mismatch& wrong = result.first_mismatches.front();
    add(traced_place(wrong, result), "", fmt::format("output[{}]", wrong.index));
  }
  return all.take();
}

std::vector<picture> pictures_of(const user_program_outcome& result, const suggestion_style& style) {
  if (!style.can_trace || !result.is_checked) return {};
  picture_list all;
  for (const symbolized_finding& each : result.findings) {
    const warpz_finding& record = each.record;
    if (each.suppressed || record.launch == 0) continue;
    const auto place = traced_place(each, {record.grid[0], record.grid[1], record.threads}, result.warp_size);
    if (!place) continue;
    std::string command = fmt::format("{} {}", style.program, style.program_files);
    for (const std::string& options : {style.kept_options, schedule_of(each)}) {
      if (!options.empty()) command += " " + options;
    }
    if (result.warp_size != parameters{}.warp_size) command += fmt::format(" --warp-size {}", result.warp_size);
    // Without --launch, the first launch that has the block is traced.
    if (record.launch != 1) command += fmt::format(" --launch {}", record.launch);
    all.add(fmt::format("{}{} --trace -o {}{}", command, *place, style.picture, style.program_words), words_of(each));
  }
  return all.take();
}

}  // namespace warpz
