// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/suggestion_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "text/printable.hpp"

namespace warpz {
namespace {

constexpr std::array<std::string_view, 3> check_names{"off", "collectives", "all"};
constexpr std::array<std::string_view, 3> rules_names{"portable", "amd", "nvidia"};

/// The options to repeat beside the puzzle and its data.
std::string options_to_keep(const options& command) {
  std::vector<std::string> words;
  if (command.module) words.push_back("--module " + shell_word(*command.module));
  if (command.kernel) words.push_back("--kernel " + shell_word(*command.kernel));
  if (command.entry) words.push_back("--entry " + shell_word(*command.entry));
  if (command.compiler) words.push_back("--compiler " + shell_word(*command.compiler));
  if (command.no_cache) words.push_back("--no-cache");
  if (command.check_given) words.push_back(fmt::format("--check {}", check_names[command.settings.check]));
  const options usual;
  if (command.settings.rules != usual.settings.rules) {
    words.push_back(fmt::format("--rules {}", rules_names[command.settings.rules]));
  }
  if (command.findings_limit != usual.findings_limit) {
    words.push_back(fmt::format("--findings-limit {}", command.findings_limit));
  }
  if (command.suppress) words.push_back("--suppress " + shell_word(*command.suppress));
  if (command.limits.memory_bytes != usual.limits.memory_bytes) {
    words.push_back(fmt::format("--memory-limit {}", command.limits.memory_bytes >> 20));
  }
  if (command.limits.output_bytes != usual.limits.output_bytes) {
    words.push_back(fmt::format("--output-limit {}", command.limits.output_bytes >> 20));
  }
  if (command.variant == variant::shared) words.push_back("--variant shared");
  if (command.settings.timeout_seconds != usual.settings.timeout_seconds) {
    words.push_back(fmt::format("--timeout {}", command.settings.timeout_seconds));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

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

}  // namespace

suggestion_style suggestion_style_of(const options& command, const char* program) {
  suggestion_style style;
  style.program = shell_word(program);
  style.kept_options = options_to_keep(command);
  style.schedule_options = schedule_options(command);
  style.device_options = device_options(command);
  style.cpu_options = "--backend cpu";
  style.own_kernels = command.module.has_value();
  return style;
}

}  // namespace warpz
