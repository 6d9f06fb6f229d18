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

std::string schedule_options(const options& command) {
  std::vector<std::string> words;
  if (command.schedules) words.push_back(fmt::format("--schedules {}", *command.schedules));
  if (command.schedule_seed) words.push_back(fmt::format("--schedule-seed {}", *command.schedule_seed));
  return fmt::format("{}", fmt::join(words, " "));
}

/// The backend and device as the user chose them. The CPU's devices differ in their warp size only, which each command
/// names.
std::string device_options(const options& command) {
  if (command.backend == backend_choice::automatic) return {};
  std::string words = fmt::format("--backend {}", name_of(command.backend));
  if (command.device && command.backend != backend_choice::cpu) words += fmt::format(" --device {}", *command.device);
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
  std::vector<std::string> files = command.program;
  for (std::string& each : files) {
    if (each.starts_with('-')) each.insert(0, "./");
  }
  return "--run" + blank_and_words(files);
}

std::string program_words(const options& command) {
  std::string words;
  if (!command.program_flags.empty()) words += " --cxxflags" + blank_and_words(command.program_flags);
  if (!command.program_arguments.empty()) words += " --" + blank_and_words(command.program_arguments);
  return words;
}

}  // namespace

suggestion_style suggestion_style_of(const options& command, const char* program) {
  suggestion_style style;
  style.program = shell_word(program);
  style.kept_options = command.repeated;
  style.schedule_options = schedule_options(command);
  style.device_options = device_options(command);
  style.cpu_options = "--backend cpu";
  const bool is_fully_checked = !command.check_given || command.settings.check == WARPZ_CHECK_ALL;
  style.can_trace = !command.trace && !command.debugger && !command.module && is_fully_checked;
  style.picture = page_script.empty() ? "lanes.svg" : "lanes.html";
  style.program_files = program_files(command);
  style.program_words = program_words(command);
  style.own_kernels = command.module.has_value();
  return style;
}

}  // namespace warpz
