// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/trace_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error.hpp"
#include "trace/html.hpp"
#include "trace/json.hpp"
#include "trace/page.hpp"
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

/// More steps than anybody would read, and few enough for a browser.
constexpr std::size_t max_shown_steps = 1500;

/// Cuts a longer trace to the steps around the first finding, wrong element or undefined value.
void show_some_steps(trace& run) {
  if (run.steps.size() <= max_shown_steps) return;
  const std::size_t interest = run.first_of_interest(), before = max_shown_steps / 2;
  const std::size_t last_begin = run.steps.size() - max_shown_steps;
  run.shown_from = std::min(interest < before ? 0 : interest - before, last_begin);
  run.shown_to = run.shown_from + max_shown_steps;
  run.is_cut = true;
}

}  // namespace

std::optional<trace_request> trace_request_of(const options& command) {
  if (!command.trace.format) return {};
  // With --kernel, the entry is the only kernel in the module.
  const std::string kernel = command.program.files.empty() ? "" : command.kernel.entry.value_or("");
  const bool is_in_other_order = command.machine.schedule_seed && command.machine.schedules != 0U;
  return trace_request{command.trace.block.value_or(0), command.trace.warp, kernel, command.trace.launch.value_or(0),
                       is_in_other_order ? *command.machine.schedule_seed : 0};
}

bool trace_takes_standard_output(const options& command) {
  return command.trace.format && !command.trace.file && *command.trace.format != trace_format::text;
}

trace_output::trace_output(const options& command, output_stream& out) : command_(command), out_(out) {
  if (command.trace.format == trace_format::html && page_script.empty()) {
    throw error(exit_code::bad_input, "--trace html: this warpz was built without the HTML page",
                "Install esbuild and node-d3-selection and build it again. --trace svg draws the same.");
  }
  if (!command.trace.format || !command.trace.file) return;
  file_.emplace("--trace-file", *command.trace.file);
  file_->check();
}

void trace_output::add(std::optional<trace> one) {
  if (!one) return;
  if (command_.trace.steps) {
    show_steps(*one, *command_.trace.steps);
  } else if (*command_.trace.format != trace_format::json) {
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
