// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/trace_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/pixel_picture.hpp"
#include "error.hpp"
#include "report/explanation.hpp"
#include "trace/html.hpp"
#include "trace/joins.hpp"
#include "trace/json.hpp"
#include "trace/page.hpp"
#include "trace/perfetto.hpp"
#include "trace/svg.hpp"
#include "trace/text.hpp"

namespace warpz {
namespace {

std::string text_of(const options& command, const std::vector<trace>& all) {
  switch (*command.trace.format) {
    case trace_format::json:
      return trace_json(all, command.trace.lanes);
    case trace_format::svg:
      return trace_svg(all, command.trace.lanes);
    case trace_format::png:
      return png_of(trace_svg(all, command.trace.lanes));
    case trace_format::gif:
      return gif_of(svg_frames(all, command.trace.lanes));
    case trace_format::animation:
      return animated_svg(all, command.trace.lanes);
    case trace_format::perfetto:
      return trace_perfetto(all);
    case trace_format::html:
      return trace_html(all, command.trace.lanes);
    default:
      break;
  }
  std::string text;
  for (const trace& each : all) text += (text.empty() ? "" : "\n") + trace_text(each, command.trace.lanes);
  return text;
}

void show_steps(trace& run, const step_range& wanted) {
  if (wanted.first > run.steps.size()) {
    throw error(exit_code::bad_input,
                fmt::format("--steps {}-{}: the trace has {} steps", wanted.first, wanted.last, run.steps.size()));
  }
  run.shown_from = wanted.first - 1;
  run.shown_to = wanted.last;
}

/// As many as one would read.
constexpr std::size_t max_shown_steps = 200;

/// The warp that does what is of interest, and those that take part in what is found there.
std::uint64_t warps_of_interest(const trace& run, std::size_t interest) {
  std::uint64_t warps = std::uint64_t{1} << run.steps[interest].warp;
  for (const explanation& each : run.explanations) {
    const auto is_there = [&](const finding_party& one) { return one.step == interest; };
    if (std::none_of(each.parties.begin(), each.parties.end(), is_there)) continue;
    for (const finding_party& party : each.parties) {
      if (party.step) warps |= std::uint64_t{1} << run.steps[*party.step].warp;
    }
  }
  return warps;
}

/// Cuts a longer trace down to the steps of one warp around what is of interest.
void show_some_steps(trace& run) {
  if (run.steps.size() <= max_shown_steps) return;
  run.is_cut = true;
  const std::size_t interest = run.first_of_interest();
  run.shown_warps = warps_of_interest(run, interest);
  const std::vector<std::size_t> shown = run.shown();
  if (shown.size() <= max_shown_steps) return;
  const auto before = static_cast<std::size_t>(std::lower_bound(shown.begin(), shown.end(), interest) - shown.begin());
  const std::size_t begin = std::min(before - std::min(before, max_shown_steps / 2), shown.size() - max_shown_steps);
  run.shown_from = shown[begin];
  run.shown_to = shown[begin + max_shown_steps - 1] + 1;
}

}  // namespace

std::optional<trace_request> trace_request_of(const options& command) {
  if (!command.trace.format) return {};
  // With --kernel, the entry is the only kernel in the module.
  const std::string kernel = command.program.files.empty() ? "" : command.kernel.entry.value_or("");
  const bool is_in_other_order = command.machine.schedule_seed && command.machine.schedules != 0U;
  return trace_request{command.trace.block.value_or(0),
                       command.trace.warp,
                       kernel,
                       command.trace.launch.value_or(0),
                       is_in_other_order ? *command.machine.schedule_seed : 0,
                       explanation_of};
}

void check_traced_lanes(const options& command, unsigned warp_size) {
  if (!command.trace.format || warp_size >= 64 || command.trace.lanes << (64 - warp_size) != 0) return;
  throw error(exit_code::bad_input,
              fmt::format("--lanes names none of the lanes: a warp has {}, numbers 0 to {}", warp_size, warp_size - 1),
              "With --warp-size 64 it has twice as many.");
}

bool trace_takes_standard_output(const options& command) {
  return command.trace.format && !command.trace.file && *command.trace.format != trace_format::text;
}

trace_output::trace_output(const options& command, output_stream& out) : command_(command), out_(out) {
  if (command.trace.format == trace_format::html && page_script.empty()) {
    throw error(exit_code::bad_input, "--trace html: this warpz was built without the HTML page",
                "Install esbuild and node-d3-selection and build it again. --trace svg draws the same.");
  }
  if (command.trace.format) check_pixel_programs(*command.trace.format);
  if (!command.trace.format || !command.trace.file) return;
  file_.emplace("--trace-file", *command.trace.file);
  file_->check();
}

void trace_output::add(std::optional<trace> one) {
  if (!one) return;
  find_joins(*one);
  if (command_.trace.steps) {
    show_steps(*one, *command_.trace.steps);
  } else if (*command_.trace.format != trace_format::json && *command_.trace.format != trace_format::perfetto) {
    show_some_steps(*one);
  }
  all_.push_back(std::move(*one));
  if (file_ || *command_.trace.format != trace_format::text) return;
  out_.write(text_of(command_, {all_.back()}) + "\n");
  all_.clear();
}

void trace_output::finish() {
  if (all_.empty()) return;
  const std::string text = text_of(command_, all_);
  if (file_) {
    file_->replace(text);
  } else {
    out_.write(text);
  }
}

}  // namespace warpz
