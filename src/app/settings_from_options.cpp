// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/settings_from_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "cli/color.hpp"
#include "compile/kernel_cache.hpp"
#include "system/private_folder.hpp"
#include "text/printable.hpp"

namespace warpz {

std::vector<std::uint64_t> schedules_of(const options& command) {
  if (!command.machine.schedules && !command.machine.schedule_seed) return {};
  std::vector<std::uint64_t> seeds(command.machine.schedules.value_or(1));
  std::iota(seeds.begin(), seeds.end(), command.machine.schedule_seed.value_or(1));
  return seeds;
}

accepted_findings::accepted_findings(const options& command) : command_(command) {
  if (command.findings.suppress) accepted_.read("suppress", *command.findings.suppress);
  if (!command.findings.baseline) return;
  if (std::error_code problem; std::filesystem::exists(*command.findings.baseline, problem)) {
    accepted_.read("baseline", *command.findings.baseline);
    return;
  }
  new_baseline_.emplace("--baseline", *command.findings.baseline);
  new_baseline_->check();
  accepted_.record(*command.findings.baseline);
}

void accepted_findings::finish(output_stream& err) {
  if (new_baseline_) {
    new_baseline_->replace(
        "# Findings that warpz accepts with --baseline: KIND: PLACE | TEXT OF THE LINE. Others fail. Remove a line to "
        "see its finding again.\n" +
        accepted_.recorded_text());
  }
  if (command_.output.quiet) return;
  if (new_baseline_) {
    const std::size_t count = accepted_.recorded_count();
    write_notice(
        err,
        fmt::format("warpz: --baseline {}: {} finding{} written and accepted; from now on only new findings fail\n",
                    printable(*command_.findings.baseline), count, count == 1 ? " is" : "s are"));
  }
  if (const std::size_t count = accepted_.unused("baseline").size(); count != 0) {
    write_notice(
        err, fmt::format("warpz: --baseline {}: {} finding{} of it {} gone\n", printable(*command_.findings.baseline),
                         count, count == 1 ? "" : "s", count == 1 ? "is" : "are"));
  }
  for (const std::string& line : accepted_.unused("suppress"))
    write_notice(err, fmt::format("warpz: --suppress {}\n", line));
}

compiler_settings compiler_settings_of(const options& command, output_stream& err) {
  compiler_settings settings;
  settings.color = use_color(command.output.color, 2);
  settings.tell = [&err](std::string_view messages) { err.write(messages); };
  for (const auto* const each : {&command.program.output, &command.output.junit, &command.output.sarif,
                                 &command.trace.file, &command.findings.baseline}) {
    if (*each) settings.written_files.push_back(**each);
  }
  if (command.program.output) settings.written_files.push_back(*command.program.output + ".d");
  if (!command.output.quiet)
    settings.on_wait = compilation_notice([&err](std::string_view line) {
      write_notice(err, line);
      err.flush();
    });
  return settings;
}

std::string cache_folder_of(const options& command, output_stream& err) {
  if (command.kernel.no_cache) return "";
  std::string folder = default_cache_folder();
  for (const std::string& each : {folder, compiler_cache_folder(folder)}) {
    const std::string refusal = os::open_private_folder(each).refusal;
    if (refusal.empty()) continue;
    write_notice(err, fmt::format("warpz: the cache is not used: {}\n", printable(refusal)));
    return "";
  }
  return folder;
}

}  // namespace warpz
