// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/settings_from_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cli/color.hpp"
#include "compile/kernel_cache.hpp"

namespace warpz {

std::vector<std::uint64_t> schedules_of(const options& command) {
  if (!command.schedules && !command.schedule_seed) return {};
  std::vector<std::uint64_t> seeds(command.schedules.value_or(1));
  std::iota(seeds.begin(), seeds.end(), command.schedule_seed.value_or(1));
  return seeds;
}

accepted_findings::accepted_findings(const options& command) : command_(command) {
  if (command.suppress) accepted_ = suppressions(*command.suppress);
}

void accepted_findings::report_unused(output_stream& err) const {
  if (command_.quiet) return;
  for (const std::string& line : accepted_.unused()) err.write(fmt::format("warpz: --suppress {}\n", line));
}

compiler_settings compiler_settings_of(const options& command, output_stream& err) {
  // A compiler may take this long, or as long as a kernel if that is longer.
  constexpr double compiler_seconds = 60;
  return {std::max(compiler_seconds, command.settings.timeout_seconds), use_color(command.color, 2),
          [&err](std::string_view messages) { err.write(messages); }};
}

std::string cache_folder_of(const options& command) { return command.no_cache ? "" : default_cache_folder(); }

}  // namespace warpz
