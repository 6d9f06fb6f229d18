// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/suggested_command.hpp"

#include <fmt/format.h>

#include "findings/data_words.hpp"

namespace warpz {

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
  command += data_words(result, changes.size);
  return command;
}

}  // namespace warpz
