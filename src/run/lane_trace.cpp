// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/lane_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "abi/text.h"
#include "error.hpp"
#include "findings/kinds.hpp"
#include "puzzle/comparison.hpp"
#include "puzzle/project_files.hpp"
#include "run/experiments/undefined_values.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// Longer files are not shown.
constexpr std::size_t max_source_bytes = std::size_t{1} << 20;

std::string numbers_text(std::uint64_t count, std::string_view thing) {
  return count == 1 ? fmt::format("one {}, number 0", thing)
                    : fmt::format("{} {}s, numbers 0 to {}", count, thing, count - 1);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(printable(text.substr(0, end)));
    text.remove_prefix(std::min(end == std::string_view::npos ? end : end + 1, text.size()));
  }
  return lines;
}

std::string content_of(const std::string& file) {
  const std::string_view built_in = project_file(file);
  if (!built_in.empty()) return std::string(built_in);
  std::ifstream stream(file, std::ios::binary);
  std::string text(max_source_bytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return text;
}

/// Explains the first wrong element.
explanation explanation_of(const mismatch& wrong, std::string_view output, const puzzle_outcome& judged,
                           std::optional<std::size_t> step) {
  const std::string element = fmt::format("{}[{}]", output, wrong.index);
  explanation words;
  words.headline = never_written(wrong.output) ? fmt::format("{} is never written", element)
                                               : fmt::format("{} is {} instead of {}", element,
                                                             number_text(wrong.output), number_text(wrong.expected));
  words.rule = fmt::format("{} of {} elements {}", judged.mismatch_count, judged.expected.size(),
                           judged.mismatch_count == 1 ? "differs" : "differ");
  words.parties.push_back({fmt::format("{} {}", wrong.placed ? fmt::format("lane {}", wrong.lane) : "a lane",
                                       never_written(wrong.output) ? "returns" : "stores it"),
                           step});
  return words;
}

}  // namespace

void check_trace_request(const trace_request& wanted, const plan& launched, unsigned warp_size) {
  std::uint64_t blocks = 1;
  unsigned threads = 1;
  for (const std::uint32_t each : launched.grid) blocks *= each;
  for (const std::uint32_t each : launched.block) threads *= each;
  if (wanted.block >= blocks) {
    throw error(exit_code::bad_input,
                fmt::format("--block {}: the grid has {}", wanted.block, numbers_text(blocks, "block")));
  }
  const unsigned warps = (threads + warp_size - 1) / warp_size;
  if (wanted.warp && *wanted.warp >= warps) {
    throw error(exit_code::bad_input,
                fmt::format("--warp {}: a block has {}", *wanted.warp, numbers_text(warps, "warp")));
  }
}

lane_recording::lane_recording(const trace_request& wanted) : wanted_(wanted) {
  if (!record_) throw error(exit_code::bad_input, "--trace: there is not enough memory to record what the lanes do");
  clear();
}

kernel_result run_in_new_process(kernel_process& process, const kernel_run& launch) {
  process.restart();
  kernel_result result = process.run(launch);
  process.restart();
  return result;
}

warpz_lane_recording lane_recording::settings() const {
  return {&*record_, wanted_.block, wanted_.warp ? static_cast<std::int32_t>(*wanted_.warp) : -1, wanted_.launch};
}

void lane_recording::clear() {
  record_->event_count = record_->left_out = 0;
  record_->place_count = record_->buffer_count = record_->threads = 0;
  warpz_copy_beginning(record_->kernel, sizeof record_->kernel, wanted_.kernel.c_str());
}

trace lane_recording::read(const run_record& first, replay& code, const naming& names_of) {
  trace result = read(names_of(first));
  variation varied;
  varied.perturbation.schedule = wanted_.schedule;
  varied.name = "with another value in place of an undefined one";
  const auto run_again = [&]() -> const run_record& {
    clear();
    return code.run(varied);
  };
  run_record traced = first;
  if (wanted_.schedule != 0 && code.possible()) {
    traced = run_again();
    result = read(names_of(traced));
    result.schedule = wanted_.schedule;
  }
  if (traced.digest.events == 0 || traced.stopped) return result;
  for (const std::uint64_t value : telling_values()) {
    if (!code.possible()) break;
    varied.perturbation.undefined = ~value;
    mark_undefined(result, read(names_of(run_again())));
  }
  return result;
}

void add_findings(trace& run, const outcome& judged, finding_words explained) {
  mark_findings(run, judged.findings, explained);
  for (const symbolized_finding& each : judged.findings) {
    if (!is_in(run, each)) continue;
    const std::size_t groups = std::min<std::size_t>(each.record.group_count, WARPZ_FINDING_GROUPS);
    for (std::size_t i = 0; i < groups; ++i) {
      const warpz_place& place = each.record.groups[i].place;
      if (place.line == 0) continue;
      run.findings.push_back({std::string(kind_of(each.record.kind).name), printable(bounded(place.file)), place.line});
    }
  }
}

void add_wrong_elements(trace& run, const puzzle_outcome& judged) {
  const std::string output = argument_name(signature_of(*judged.puzzle), 0);
  for (const mismatch& each : judged.first_mismatches) {
    const std::optional<std::size_t> step = mark_wrong_element(run, output, each);
    if (run.wrong_elements.empty()) run.explanations.push_back(explanation_of(each, output, judged, step));
    run.wrong_elements.push_back(each.index);
  }
}

void add_sources(trace& run, std::span<const std::string> given) {
  const auto is_given = [&](const source_file& each) {
    return std::any_of(given.begin(), given.end(),
                       [&](const std::string& file) { return printable(file) == each.name; });
  };
  for (const trace_step& step : run.steps) {
    const auto is_it = [&](const source_file& each) { return each.name == step.file; };
    if (step.file.empty() || std::any_of(run.sources.begin(), run.sources.end(), is_it)) continue;
    run.sources.push_back({step.file, lines_of(content_of(step.file))});
  }
  const auto includes = std::stable_partition(run.sources.begin(), run.sources.end(), is_given);
  if (includes == run.sources.begin()) return;
  for (auto each = includes; each != run.sources.end(); ++each) each->is_include = true;
}

}  // namespace warpz
