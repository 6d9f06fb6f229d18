// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/suggestion_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "text/printable.hpp"
#include "trace/page.hpp"

namespace warpz {
namespace {

std::string schedule_words(const options& command) {
  std::vector<std::string> words;
  if (command.machine.schedules) words.push_back(fmt::format("--schedules {}", *command.machine.schedules));
  if (command.machine.schedule_seed) words.push_back(fmt::format("--schedule-seed {}", *command.machine.schedule_seed));
  return fmt::format("{}", fmt::join(words, " "));
}

/// The backend and device that the user chose. The CPU's devices differ only in the warp size, which each command has
/// anyway.
std::string device_words(const options& command) {
  if (command.device.backend == backend_choice::automatic) return {};
  std::string words = fmt::format("--backend {}", name_of(command.device.backend));
  if (command.device.number && command.device.backend != backend_choice::cpu)
    words += fmt::format(" --device {}", *command.device.number);
  return words;
}

/// Shell words, each after a blank.
std::string blank_and_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& each : words) text += " " + shell_word(each);
  return text;
}

/// A name that begins with a dash would be taken for an option.
std::string program_files(const options& command) {
  std::vector<std::string> files = command.program.files;
  for (std::string& each : files) {
    if (each.starts_with('-')) each.insert(0, "./");
  }
  return "--run" + blank_and_words(files);
}

std::string program_words(const options& command) {
  std::string words;
  if (!command.program.flags.empty()) words += " --cxxflags" + blank_and_words(command.program.flags);
  if (!command.program.arguments.empty()) words += " --" + blank_and_words(command.program.arguments);
  return words;
}

}  // namespace

suggestion_style suggestion_style_of(const options& command, const char* program) {
  suggestion_style style;
  style.program = shell_word(program);
  style.kept_options = command.repeated;
  style.schedule_options = schedule_words(command);
  style.device_options = device_words(command);
  style.cpu_options = "--backend cpu";
  const bool is_fully_checked = !command.machine.check_given || command.machine.settings.check == WARPZ_CHECK_ALL;
  style.can_trace = !command.trace.format && !command.kernel.debugger && !command.kernel.module && is_fully_checked;
  style.picture = page_script.empty() ? "lanes.svg" : "lanes.html";
  style.program_files = program_files(command);
  style.program_words = program_words(command);
  style.is_fixed_module = command.kernel.module.has_value();
  return style;
}

}  // namespace warpz
