// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/suggested_command.hpp"

#include <fmt/format.h>

#include "text/number.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

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

}  // namespace

bool has_shape(const puzzle_outcome& result) { return result.shape && result.shape->inputs() == result.size; }

std::string command_for(const puzzle_outcome& result, const change& changes, const suggestion_style& style) {
  std::string command = fmt::format("{} --{}", style.program, result.puzzle->flag);
  if (!style.kept_options.empty()) command += " " + style.kept_options;
  const std::string schedules = changes.schedules.value_or(style.schedule_options);
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

}  // namespace warpz
