// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/settings_from_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cli/color.hpp"
#include "compile/kernel_cache.hpp"

namespace warpz {

std::vector<std::uint64_t> schedules_of(const options& asked) {
  if (!asked.schedules && !asked.schedule_seed) return {};
  std::vector<std::uint64_t> seeds(asked.schedules.value_or(1));
  std::iota(seeds.begin(), seeds.end(), asked.schedule_seed.value_or(1));
  return seeds;
}

accepted_findings::accepted_findings(const options& asked) : asked_(asked) {
  if (asked.suppress) accepted_ = suppressions(*asked.suppress);
}

void accepted_findings::tell_unused(output_stream& err) const {
  if (asked_.quiet) return;
  for (const std::string& line : accepted_.unused()) err.write(fmt::format("warpz: --suppress {}\n", line));
}

compiler_settings compiler_settings_of(const options& asked, output_stream& err) {
  // The longest that a compiler may take, unless a kernel may take longer.
  constexpr double compiler_seconds = 60;
  return {std::max(compiler_seconds, asked.settings.timeout_seconds), use_color(asked.color, 2),
          [&err](std::string_view messages) { err.write(messages); }};
}

std::string cache_folder_of(const options& asked) { return asked.no_cache ? "" : default_cache_folder(); }

}  // namespace warpz
