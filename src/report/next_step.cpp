// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the next command by what tells most: first fewer elements that still go wrong, then the one change that
// tells two causes apart.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/details.hpp"
#include "report/finding_words.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

// So few elements can be worked out by hand.
constexpr std::size_t few = 8;

/// What a suggested run has different from the one before.
struct change {
  std::optional<std::size_t> size = {};
  std::optional<unsigned> warp_size = {};
  bool on_cpu = false;
};

std::string input_words(const input_source& from) {
  switch (from.from) {
    case input_source::kind::documented:
      return {};
    case input_source::kind::random:
      return " --random " + shell_word(from.detail);
    case input_source::kind::file:
      break;
  }
  // A name that begins with a dash would be taken for an option.
  const bool like_an_option = from.detail.size() > 1 && from.detail.front() == '-';
  return " --input " + printable(shell_word((like_an_option ? "./" : "") + from.detail));
}

std::string command_for(const outcome& of, const change& with, const suggestion_style& style) {
  std::string command = fmt::format("{} --{}", style.program, of.of->flag);
  if (!style.kept_options.empty()) command += " " + style.kept_options;
  const bool cpu = with.on_cpu || of.backend == "cpu";
  if (with.on_cpu || style.backend_given) command += " --backend " + std::string(cpu ? "cpu" : of.backend);
  const unsigned warp_size = with.warp_size.value_or(of.warp_size);
  if (cpu && warp_size != parameters{}.warp_size) command += fmt::format(" --warp-size {}", warp_size);

  command += input_words(of.input);
  const bool usual_size =
      of.documented || (of.input.from != input_source::kind::file && of.size == of.of->size_for(of.warp_size));
  if (with.size || !usual_size) command += fmt::format(" --size {}", with.size.value_or(of.size));
  if (of.pivot && of.pivot != of.of->documented_pivot) command += " --pivot " + number_text(*of.pivot);
  return command;
}

/// How many elements there are up to the end of this warp.
std::size_t up_to_warp(std::size_t index, unsigned warp_size) { return (index / warp_size + 1) * warp_size; }

next_step on_cpu(const outcome& of, const suggestion_style& style) {
  return {command_for(of, {.warp_size = of.warp_size, .on_cpu = true}, style),
          "the same on the CPU machine, which watches every lane"};
}

next_step other_warp_size(const outcome& of, const suggestion_style& style) {
  const unsigned other = of.warp_size == 32 ? 64 : 32;
  change with{.warp_size = other};
  // Else the documented data would grow or shrink with the warp.
  if (!of.documented) with.size = of.size;
  return {command_for(of, with, style), fmt::format("does it depend on the warp size? With {} lanes", other)};
}

next_step after_wrong_result(const outcome& of, const suggestion_style& style) {
  const unsigned warp_size = of.warp_size;
  const std::size_t first = of.first_mismatches.empty() ? 0 : of.first_mismatches.front().index;
  const std::size_t cut = up_to_warp(first, warp_size);
  if (cut < of.size) {
    return {command_for(of, {.size = cut}, style),
            "only up to the end of the first warp that goes wrong; if it passes now, the data behind matters"};
  }
  const std::size_t last_warp = (of.size - 1) % warp_size + 1;
  if (of.size > longest_list) {
    return {command_for(of, {.size = warp_size + last_warp}, style), "only two warps, the last one as long as now"};
  }
  // What is right with 32 lanes and wrong with 64 has a 32 or a 31 in it somewhere.
  if (of.documented && warp_size != parameters{}.warp_size) return other_warp_size(of, style);
  if (first < few && of.size > few) {
    return {command_for(of, {.size = few}, style), "few enough elements to work out by hand"};
  }
  // Not if a size was chosen: it may have come from here.
  if (of.documented) {
    return {command_for(of, {.size = of.size + 1}, style),
            "one element more: the last warp's end and the data's end are then two places"};
  }
  if (first >= few && last_warp != warp_size && of.input.from != input_source::kind::file) {
    return {command_for(of, {.size = cut}, style),
            "does it only go wrong where a warp is not full? Now each lane has an element"};
  }
  return other_warp_size(of, style);
}

bool is_crash(std::uint32_t kind) {
  return kind != WARPZ_DIVERGED_COLLECTIVE && kind != WARPZ_DIVERGED_BARRIER && kind != WARPZ_WRONG_MASK &&
         kind != WARPZ_NO_PROGRESS;
}

next_step after_broken_rule(const outcome& of, const suggestion_style& style) {
  const unsigned warp_size = of.warp_size;
  const warpz_finding first = of.findings.empty() ? warpz_finding{} : of.findings.front().record;
  if (!groups_of(first).empty()) {
    const std::size_t cut = (std::size_t{groups_of(first).front().block[0]} + 1) * warp_size;
    if (cut < of.size) return {command_for(of, {.size = cut}, style), "the data up to the end of this block"};
  }
  if (is_crash(first.kind)) {
    if (of.size == 1) return other_warp_size(of, style);
    return {command_for(of, {.size = 1}, style), "does it happen with a single element, too?"};
  }
  const std::size_t last_warp = of.size % warp_size;
  const bool can_grow = of.input.from != input_source::kind::file;
  if (last_warp != 0 && (can_grow || of.size > warp_size)) {
    const std::size_t whole = of.size - last_warp + (can_grow ? warp_size : 0);
    return {command_for(of, {.size = whole}, style),
            "does it only happen to lanes without an element? Now each lane has one"};
  }
  return other_warp_size(of, style);
}

}  // namespace

next_step next_after(const outcome& of, const suggestion_style& style) {
  if (of.backend != "cpu") return on_cpu(of, style);
  return of.result == verdict::wrong_result ? after_wrong_result(of, style) : after_broken_rule(of, style);
}

}  // namespace warpz
