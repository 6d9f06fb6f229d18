// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the command to run next. First come fewer elements that still go wrong, then the one change that
// distinguishes two causes. Where neither is left, there is no command: none is better than one beside the point.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "findings/kinds.hpp"
#include "report/details.hpp"
#include "report/finding_words.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

// The elements that can be worked out by hand.
constexpr std::size_t few = 8;

/// How a suggested run differs from the one before.
struct change {
  std::optional<std::size_t> size = {};
  std::optional<unsigned> warp_size = {};
  std::string schedules = {};  ///< options
  bool on_cpu_machine = false;
};

std::string input_words(const input_source& from) {
  switch (from.from) {
    case input_source::kind::documented:
      return {};
    case input_source::kind::random:
      return " --random " + shell_word(from.detail);
    case input_source::kind::pattern:
      return " --pattern " + from.detail;
    case input_source::kind::file:
      break;
  }
  // A name that begins with a dash would be taken for an option.
  const bool like_an_option = from.detail.size() > 1 && from.detail.front() == '-';
  return " --input " + shell_word((like_an_option ? "./" : "") + from.detail);
}

/// The size follows from the shape, unless the numbers were shared out to squares and did not fill them.
bool has_shape(const puzzle_outcome& result) { return result.shape && result.shape->inputs() == result.size; }

std::string command_for(const puzzle_outcome& result, const change& changes, const suggestion_style& style) {
  std::string command = fmt::format("{} --{}", style.program, result.puzzle->flag);
  if (!style.kept_options.empty()) command += " " + style.kept_options;
  const std::string& schedules = changes.schedules.empty() ? style.schedule_options : changes.schedules;
  if (!schedules.empty()) command += " " + schedules;
  const std::string& device = changes.on_cpu_machine ? style.cpu_options : style.device_options;
  if (!device.empty()) command += " " + device;
  const unsigned warp_size = changes.warp_size.value_or(result.warp_size);
  if ((changes.on_cpu_machine || result.on_cpu_machine) && warp_size != parameters{}.warp_size)
    command += fmt::format(" --warp-size {}", warp_size);

  command += input_words(result.input);
  const bool by_shape = !changes.size && has_shape(result);
  const bool usual_size =
      result.documented || by_shape ||
      (result.input.from != input_source::kind::file && result.size == result.puzzle->size_for(result.warp_size));
  if (changes.size || !usual_size) command += fmt::format(" --size {}", changes.size.value_or(result.size));
  if (by_shape && result.shape != result.puzzle->documented_shape) command += " --shape " + text_of(*result.shape);
  if (result.pivot && result.pivot != result.puzzle->documented_pivot)
    command += " --pivot " + number_text(*result.pivot);
  return command;
}

/// How many elements there are up to the end of the block that writes this one; it is a warp, unless the puzzle's
/// blocks are larger.
std::size_t up_to_block(std::size_t index, const puzzle_outcome& result) {
  const std::size_t threads = result.puzzle->threads_of_a_block(result.warp_size);
  return (index / threads + 1) * threads;
}

/// Fewer elements are the same problem's beginning.
bool can_be_cut(const puzzle_outcome& result) { return result.puzzle->plan_for == nullptr; }

/// What works on a part of its own.
std::string_view unit_of(const puzzle_outcome& result) { return result.puzzle->block_threads == 0 ? "warp" : "block"; }

next_step on_cpu_machine(const puzzle_outcome& result, const suggestion_style& style) {
  return {command_for(result, {.warp_size = result.warp_size, .on_cpu_machine = true}, style),
          "the same on the CPU machine, which watches every lane"};
}

/// Kernels that are compiled for a GPU can only be tried there, with less.
next_step on_its_device(const puzzle_outcome& result, const suggestion_style& style) {
  const std::size_t first = result.first_mismatches.empty() ? 0 : result.first_mismatches.front().index;
  const std::size_t cut = up_to_block(first, result);
  const std::string advice = "; built for the CPU machine as well, it can be watched lane by lane";
  const std::string_view unit = unit_of(result);
  if (can_be_cut(result) && cut < result.size)
    return {command_for(result, {.size = cut}, style), fmt::format("only up to the end of one {}{}", unit, advice)};
  if (result.size == 1) {
    const unsigned threads = result.puzzle->threads_of_a_block(result.warp_size);
    return {command_for(result, {.size = threads}, style), fmt::format("a whole {} instead{}", unit, advice)};
  }
  return {command_for(result, {.size = 1}, style), "a single element instead" + advice};
}

next_step other_warp_size(const puzzle_outcome& result, const suggestion_style& style) {
  const unsigned other = result.warp_size == 32 ? 64 : 32;
  change changes{.warp_size = other};
  // Else the documented data would grow or shrink with the warp.
  if (!result.documented && !has_shape(result)) changes.size = result.size;
  return {command_for(result, changes, style), fmt::format("does it depend on the warp size? With {} lanes", other)};
}

next_step after_wrong_result(const puzzle_outcome& result, const suggestion_style& style) {
  if (!can_be_cut(result)) return other_warp_size(result, style);
  const unsigned unit = result.puzzle->threads_of_a_block(result.warp_size);
  const std::string_view name = unit_of(result);
  const std::size_t first = result.first_mismatches.empty() ? 0 : result.first_mismatches.front().index;
  const std::size_t cut = up_to_block(first, result);
  if (cut < result.size) {
    return {command_for(result, {.size = cut}, style),
            fmt::format("only up to the end of the first {} that goes wrong; if it passes now, the data behind matters",
                        name)};
  }
  const std::size_t last_part = (result.size - 1) % unit + 1;
  if (result.size > max_listed_elements) {
    return {command_for(result, {.size = unit + last_part}, style),
            fmt::format("only two {}s, the last one as long as now", name)};
  }
  // What is right with 32 lanes and wrong with 64 has a 32 or a 31 in it somewhere.
  if (result.documented && result.warp_size != parameters{}.warp_size) return other_warp_size(result, style);
  if (first < few && result.size > few) {
    return {command_for(result, {.size = few}, style), "few enough elements to work out by hand"};
  }
  // Not if a size was chosen: it may have come from here.
  if (result.documented) {
    return {command_for(result, {.size = result.size + 1}, style),
            fmt::format("one element more: the last {}'s end and the data's end are then two places", name)};
  }
  if (first >= few && last_part != unit && result.input.from != input_source::kind::file) {
    return {command_for(result, {.size = cut}, style),
            fmt::format("does it only go wrong where a {} is not full? Now each lane has an element", name)};
  }
  return other_warp_size(result, style);
}

/// The end of the last block that the finding is about.
std::size_t up_to_finding(const warpz_finding& record, unsigned threads) {
  std::size_t blocks = 0;
  for (const warpz_lane_group& each : groups_of(record)) blocks = std::max(blocks, std::size_t{each.block[0]} + 1);
  return blocks * threads;
}

/// The thread of the grid that a finding shows, in a grid of one dimension.
std::size_t thread_of(const warpz_finding& record, const puzzle_outcome& result) {
  const auto groups = groups_of(record);
  if (groups.empty() || groups[0].lanes == 0) return 0;
  const std::size_t lane =
      std::size_t{groups[0].warp} * result.warp_size + static_cast<std::size_t>(std::countr_zero(groups[0].lanes));
  return std::size_t{groups[0].block[0]} * result.puzzle->threads_of_a_block(result.warp_size) + lane;
}

/// Fewer elements that the finding's lane has still one of.
std::optional<next_step> one_element(const puzzle_outcome& result, const warpz_finding& record,
                                     const suggestion_style& style) {
  if (result.size == 1) return {};
  const std::size_t thread = can_be_cut(result) ? thread_of(record, result) : 0;
  if (thread == 0)
    return next_step{command_for(result, {.size = 1}, style), "does it happen with a single element, too?"};
  if (thread + 1 >= result.size) return {};
  return next_step{command_for(result, {.size = thread + 1}, style), "the data up to this lane's element"};
}

std::optional<next_step> full_warps(const puzzle_outcome& result, const suggestion_style& style) {
  const unsigned unit = result.puzzle->threads_of_a_block(result.warp_size);
  const std::size_t last_part = result.size % unit;
  const bool can_grow = result.input.from != input_source::kind::file;
  if (!can_be_cut(result) || last_part == 0 || (!can_grow && result.size <= unit)) return {};
  const std::size_t whole = result.size - last_part + (can_grow ? unit : 0);
  return next_step{command_for(result, {.size = whole}, style),
                   "does it only happen to lanes without an element? Now each lane has one"};
}

std::optional<next_step> few_elements(const puzzle_outcome& result, const suggestion_style& style) {
  const bool is_full = result.size % result.puzzle->threads_of_a_block(result.warp_size) == 0;
  // Not if a size was chosen: it may have come from here.
  if (!can_be_cut(result) || !is_full || !result.documented || result.size <= few) return full_warps(result, style);
  return next_step{command_for(result, {.size = few}, style),
                   "does it happen with few enough elements to work out by hand, too?"};
}

std::optional<next_step> other_orders(const puzzle_outcome& result, const suggestion_style& style) {
  if (!style.schedule_options.empty()) return few_elements(result, style);
  return next_step{command_for(result, {.schedules = "--schedules 5"}, style),
                   "does it change the result? Five other orders of the lanes show it"};
}

/// The order or the blocks in which it was found, without the others.
std::optional<next_step> same_order(const puzzle_outcome& result, const symbolized_finding& found,
                                    const suggestion_style& style) {
  const std::string schedule = fmt::format("--schedule-seed {}", found.schedule);
  if (style.schedule_options == schedule) return {};
  return next_step{command_for(result, {.schedules = schedule}, style),
                   fmt::format("only the {} in which it was found", found.block_threads != 0 ? "block size" : "order")};
}

/// Nothing where no other run would tell more.
std::optional<next_step> after_broken_rule(const puzzle_outcome& result, const suggestion_style& style) {
  const symbolized_finding* const reported = first_reported(result);
  const symbolized_finding found = reported == nullptr ? symbolized_finding{} : *reported;
  // Another size has other orders.
  if (found.schedule != 0) return same_order(result, found, style);
  const std::size_t cut = up_to_finding(found.record, result.puzzle->threads_of_a_block(result.warp_size));
  if (can_be_cut(result) && cut != 0 && cut < result.size) {
    return next_step{command_for(result, {.size = cut}, style), "the data up to the end of this block"};
  }
  switch (kind_of(found.record.kind).next) {
    case experiment::one_element:
      return one_element(result, found.record, style);
    case experiment::full_warps:
      return full_warps(result, style);
    case experiment::few_elements:
      return few_elements(result, style);
    case experiment::other_orders:
      return other_orders(result, style);
    case experiment::other_warp_size:
      return other_warp_size(result, style);
    case experiment::same_order:
      break;
  }
  return {};
}

/// The options of a trace that shows the finding: of its first block, and of the warp whose operation went wrong.
std::optional<std::string> traced_place(const symbolized_finding& found, const puzzle_outcome& result) {
  const auto groups = groups_of(found.record);
  const auto first = std::find_if(groups.begin(), groups.end(), [](const auto& each) { return each.lanes != 0; });
  // A trace is of the first order.
  if (first == groups.end() || found.schedule != 0) return {};
  const std::uint64_t block = first->block[0] + std::uint64_t{result.launched.grid[0]} * first->block[1];
  std::string words = block == 0 ? "" : fmt::format(" --block {}", block);
  const bool is_of_warp = found.record.kind == WARPZ_DIVERGED_COLLECTIVE || found.record.kind == WARPZ_WRONG_MASK ||
                          found.record.kind == WARPZ_UNDEFINED_LANE_VALUE;
  if (is_of_warp && result.launched.block[0] * result.launched.block[1] > result.warp_size)
    words += fmt::format(" --warp {}", first->warp);
  return words;
}

/// The same of a wrong element: of the block that writes it.
std::optional<std::string> traced_place(const mismatch& wrong, const puzzle_outcome& result) {
  if (!result.launched.element_per_thread) return {};
  const std::size_t block = wrong.index / result.launched.block[0];
  return block == 0 ? "" : fmt::format(" --block {}", block);
}

}  // namespace

std::optional<std::string> picture_command(const puzzle_outcome& result, const suggestion_style& style) {
  if (!style.can_trace || !result.on_cpu_machine) return {};
  std::optional<std::string> place;
  if (const symbolized_finding* const found = first_reported(result)) {
    place = traced_place(*found, result);
  } else if (!result.first_mismatches.empty()) {
    place = traced_place(result.first_mismatches.front(), result);
  }
  if (!place) return {};
  return command_for(result, {}, style) + *place + " --trace -o lanes.html";
}

std::optional<next_step> next_after(const puzzle_outcome& result, const suggestion_style& style) {
  if (result.judged != case_kind::asked) {
    change same;
    for (const symbolized_finding& each : result.findings) {
      if (each.schedule != 0) same.schedules = fmt::format("--schedule-seed {}", each.schedule);
    }
    return next_step{command_for(result, same, style), "the same again, on this input alone"};
  }
  if (!result.on_cpu_machine) return style.own_kernels ? on_its_device(result, style) : on_cpu_machine(result, style);
  // A warp-size dependence comes with its wrong result.
  return result.mismatch_count != 0 ? after_wrong_result(result, style) : after_broken_rule(result, style);
}

}  // namespace warpz
