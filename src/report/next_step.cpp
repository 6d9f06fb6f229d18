// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the command to run next: first one with fewer elements that still goes wrong, then one with the change that
// distinguishes two causes. Where neither is left it suggests nothing, rather than something beside the point.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "findings/data_words.hpp"
#include "findings/kinds.hpp"
#include "report/details.hpp"
#include "report/finding_words.hpp"
#include "report/suggested_command.hpp"

namespace warpz {
namespace {

// The elements that can be worked out by hand.
constexpr std::size_t few = 8;

/// The number of elements up to the end of the block that writes this one. A block is a warp, unless the puzzle's
/// blocks are larger.
std::size_t up_to_block(std::size_t index, const puzzle_outcome& result) {
  const std::size_t elements = result.puzzle->elements_of_a_block(result.warp_size);
  return (index / elements + 1) * elements;
}

/// Whether a smaller run does the first part of the larger one's work.
bool can_be_cut(const puzzle_outcome& result) { return result.puzzle->plan_for == nullptr; }

/// What the elements are worked on by: a block, or a warp where a block is no more than that.
std::string_view unit_of(const puzzle_outcome& result) { return result.puzzle->block_threads == 0 ? "warp" : "block"; }

next_step on_cpu_machine(const puzzle_outcome& result, const suggestion_style& style) {
  return {command_for(result, {.warp_size = result.warp_size, .on_cpu_machine = true}, style),
          "the same on the CPU machine, which watches every lane"};
}

/// For kernels that are compiled for a GPU: a run with fewer elements on the same device.
next_step on_its_device(const puzzle_outcome& result, const suggestion_style& style) {
  const std::size_t first = result.first_mismatches.empty() ? 0 : result.first_mismatches.front().index;
  const std::size_t cut = up_to_block(first, result);
  const std::string advice = "; built for the CPU machine as well, it can be watched lane by lane";
  const std::string_view unit = unit_of(result);
  if (can_be_cut(result) && cut < result.size)
    return {command_for(result, {.size = cut}, style), fmt::format("only up to the end of one {}{}", unit, advice)};
  if (result.size == 1) {
    const unsigned elements = result.puzzle->elements_of_a_block(result.warp_size);
    return {command_for(result, {.size = elements}, style), fmt::format("a whole {} instead{}", unit, advice)};
  }
  return {command_for(result, {.size = 1}, style), "a single element instead" + advice};
}

next_step other_warp_size(const puzzle_outcome& result, const suggestion_style& style) {
  const unsigned other = result.warp_size == 32 ? 64 : 32;
  change changes{.warp_size = other};
  // Otherwise the number of documented elements would change with the warp size.
  if (!result.documented && !has_shape(result)) changes.size = result.size;
  return {command_for(result, changes, style), fmt::format("does it depend on the warp size? With {} lanes", other)};
}

next_step after_wrong_result(const puzzle_outcome& result, const suggestion_style& style) {
  if (!can_be_cut(result)) return other_warp_size(result, style);
  const unsigned unit = result.puzzle->elements_of_a_block(result.warp_size);
  const std::string_view name = unit_of(result);
  const std::size_t first = result.first_mismatches.empty() ? 0 : result.first_mismatches.front().index;
  const std::size_t cut = up_to_block(first, result);
  if (cut < result.size) {
    return {command_for(result, {.size = cut}, style),
            fmt::format("only up to the end of the first {} that goes wrong; if it passes, the data after it matters",
                        name)};
  }
  const std::size_t last_part = (result.size - 1) % unit + 1;
  if (result.size > max_listed_elements) {
    return {command_for(result, {.size = unit + last_part}, style),
            fmt::format("only two {}s, the last one as long as now", name)};
  }
  // A kernel that is right with 32 lanes and wrong with 64 has a 32 or a 31 in it somewhere.
  if (result.documented && result.warp_size != parameters{}.warp_size) return other_warp_size(result, style);
  if (first < few && result.size > few) {
    return {command_for(result, {.size = few}, style), "few enough elements to work out by hand"};
  }
  // Not if a size was chosen: it may have come from here.
  if (result.documented) {
    return {command_for(result, {.size = result.size + 1}, style),
            fmt::format("one more element: then the data ends before the last {} does", name)};
  }
  if (first >= few && last_part != unit && result.input.from != input_source::kind::file) {
    return {command_for(result, {.size = cut}, style),
            fmt::format("does it only go wrong where a {} is not full? Now each lane has an element", name)};
  }
  return other_warp_size(result, style);
}

/// The end of the last block that the finding is about.
std::size_t up_to_finding(const warpz_finding& record, unsigned elements) {
  std::size_t blocks = 0;
  for (const warpz_lane_group& each : groups_of(record)) blocks = std::max(blocks, std::size_t{each.block[0]} + 1);
  return blocks * elements;
}

/// The thread of the grid that a finding shows, in a grid of one dimension.
std::size_t thread_of(const warpz_finding& record, const puzzle_outcome& result) {
  const auto groups = groups_of(record);
  if (groups.empty() || groups[0].lanes == 0) return 0;
  const std::size_t lane =
      std::size_t{groups[0].warp} * result.warp_size + static_cast<std::size_t>(std::countr_zero(groups[0].lanes));
  return std::size_t{groups[0].block[0]} * result.puzzle->threads_of_a_block(result.warp_size) + lane;
}

/// The fewest elements of which the finding's lane still has one.
std::optional<next_step> one_element(const puzzle_outcome& result, const warpz_finding& record,
                                     const suggestion_style& style) {
  if (result.size == 1) return {};
  const std::size_t thread = can_be_cut(result) ? thread_of(record, result) : 0;
  if (thread == 0)
    return next_step{command_for(result, {.size = 1}, style), "does it also happen with a single element?"};
  const std::size_t cut = (thread + 1) * result.puzzle->elements_per_thread;
  if (cut >= result.size) return {};
  return next_step{command_for(result, {.size = cut}, style), "the data up to this lane's element"};
}

std::optional<next_step> full_warps(const puzzle_outcome& result, const suggestion_style& style) {
  const unsigned unit = result.puzzle->elements_of_a_block(result.warp_size);
  const std::size_t last_part = result.size % unit;
  const bool can_grow = result.input.from != input_source::kind::file;
  if (!can_be_cut(result) || last_part == 0 || (!can_grow && result.size <= unit)) return {};
  const std::size_t whole = result.size - last_part + (can_grow ? unit : 0);
  return next_step{command_for(result, {.size = whole}, style),
                   "does it only happen to lanes without an element? Now each lane has one"};
}

std::optional<next_step> few_elements(const puzzle_outcome& result, const suggestion_style& style) {
  const bool is_full = result.size % result.puzzle->elements_of_a_block(result.warp_size) == 0;
  // Not if a size was chosen: it may have come from here.
  if (!can_be_cut(result) || !is_full || !result.documented || result.size <= few) return full_warps(result, style);
  return next_step{command_for(result, {.size = few}, style),
                   "does it also happen with few enough elements to work out by hand?"};
}

std::optional<next_step> other_orders(const puzzle_outcome& result, const suggestion_style& style) {
  if (!style.schedule_options.empty()) return few_elements(result, style);
  return next_step{command_for(result, {.schedules = "--schedules 5"}, style),
                   "does it change the result? Five other orders of the lanes show it"};
}

/// Repeats only the order, or the blocks, in which the finding was found.
std::optional<next_step> same_order(const puzzle_outcome& result, const symbolized_finding& found,
                                    const suggestion_style& style) {
  const std::string schedule = fmt::format("--schedule-seed {}", found.schedule);
  if (style.schedule_options == schedule) return {};
  return next_step{command_for(result, {.schedules = schedule}, style),
                   fmt::format("only the {} in which it was found", found.block_threads != 0 ? "block size" : "order")};
}

/// Nothing where another run would show nothing new.
std::optional<next_step> after_broken_rule(const puzzle_outcome& result, const suggestion_style& style) {
  const symbolized_finding* const reported = first_reported(result);
  const symbolized_finding found = reported == nullptr ? symbolized_finding{} : *reported;
  // With another size the same seed gives another order.
  if (found.schedule != 0) return same_order(result, found, style);
  const std::size_t cut = up_to_finding(found.record, result.puzzle->elements_of_a_block(result.warp_size));
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
    case experiment::none:
      break;
  }
  return {};
}

}  // namespace

std::optional<next_step> next_after(const puzzle_outcome& result, const suggestion_style& style) {
  if (result.judged != case_kind::asked) {
    change same;
    for (const symbolized_finding& each : result.findings) {
      if (each.schedule != 0) same.schedules = fmt::format("--schedule-seed {}", each.schedule);
    }
    return next_step{command_for(result, same, style), "the same again, on this input alone"};
  }
  if (!result.on_cpu_machine)
    return style.is_fixed_module ? on_its_device(result, style) : on_cpu_machine(result, style);
  // A warp-size dependence is about the wrong result that is reported with it.
  return result.mismatch_count != 0 ? after_wrong_result(result, style) : after_broken_rule(result, style);
}

}  // namespace warpz
