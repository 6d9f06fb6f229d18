// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nlohmann's library makes all of the document but its lists. They go to the stream number by number: in memory, a
// document of 10^8 elements would take many times as much as the buffers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "counters/text.hpp"
#include "findings/data_words.hpp"
#include "findings/kinds.hpp"
#include "report/details.hpp"
#include "report/finding_words.hpp"
#include "report/memory_words.hpp"
#include "report/report.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"
#include "text/wrapped.hpp"

namespace warpz {
namespace {

using json = nlohmann::ordered_json;

/// The document on one line.
std::string json_text(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

/// An object's members, without the braces.
std::string members(const json& object) {
  const std::string text = json_text(object);
  return text.substr(1, text.size() - 2);
}

template <class Value>
json or_null(bool known, Value value) {
  return known ? json(value) : json();
}

/// JSON has no numbers for NaN and infinities: they are strings. An element that no lane has written is null.
json number(float value) {
  if (never_written(value)) return {};
  if (!std::isfinite(value)) return number_text(value);
  // By the digits of the text report: as a double, the float would have more.
  const std::string text = number_text(value);
  double written = 0;
  std::from_chars(text.data(), text.data() + text.size(), written);
  return written;
}

json input_json(const input_source& from) {
  switch (from.from) {
    case input_source::kind::documented:
      return {{"source", "documented"}, {"seed", nullptr}, {"pattern", nullptr}, {"file", nullptr}};
    case input_source::kind::random: {
      const auto seed = parse_whole(from.detail);
      return {{"source", "random"},
              {"seed", or_null(seed.has_value(), seed.value_or(0))},
              {"pattern", nullptr},
              {"file", nullptr}};
    }
    case input_source::kind::pattern:
      return {{"source", "pattern"}, {"seed", nullptr}, {"pattern", from.detail}, {"file", nullptr}};
    case input_source::kind::file:
      break;
  }
  return {{"source", "file"}, {"seed", nullptr}, {"pattern", nullptr}, {"file", from.detail}};
}

json place_json(std::string file, unsigned line) {
  return {{"file", or_null(!file.empty(), file)}, {"line", or_null(line != 0, line)}};
}

/// The column and the text of a line, where it is of the user's own sources.
json code_json(const source_line& place) {
  const bool is_known = !place.code.empty();
  return {{"column", or_null(is_known && place.column != 0, place.column)}, {"code", or_null(is_known, place.code)}};
}

json group_json(const warpz_lane_group& group, const source_line& place) {
  const std::string operation = printable(bounded(group.place.operation));
  json object{{"block", group.block},
              {"warp", group.warp},
              {"lanes", lanes_in(group.lanes)},
              {"state", state_name(group.state)},
              {"operation", or_null(!operation.empty(), operation)},
              {"bytes", or_null(group.bytes != 0, group.bytes)},
              {"mask", or_null(group.place.mask != 0, fmt::format("{:#x}", group.place.mask))}};
  object.update(place_json(printable(bounded(group.place.file)), group.place.line));
  object.update(code_json(place));
  return object;
}

json memory_json(const symbolized_finding& finding) {
  if (!finding.memory) return {};
  const std::string name = printable(finding.memory->name);
  return {{"name", or_null(!name.empty(), name)},
          {"element", element_text(*finding.memory)},
          {"index", finding.memory->index},
          {"elements", finding.memory->elements},
          {"element_bytes", finding.memory->element_bytes}};
}

/// The values that two runs gave to the finding's element.
json values_json(const symbolized_finding& finding) {
  if (finding.record.has_values == 0 || !finding.memory) return {};
  json values = json::array();
  for (const std::uint32_t bits : finding.record.values) {
    values.push_back(finding.memory->floats ? number(std::bit_cast<float>(bits)) : json(bits));
  }
  return values;
}

json suppressed_json(const std::optional<suppressed_by>& by) {
  if (!by) return {};
  return {{"file", by->file}, {"line", by->line}, {"reason", or_null(!by->reason.empty(), printable(by->reason))}};
}

json contrast_json(const std::optional<warp_size_contrast>& contrast) {
  if (!contrast) return {};
  json first;
  if (contrast->first) {
    first = {{"index", contrast->first->index},
             {"output", number(contrast->first->output)},
             {"expected", number(contrast->first->expected)},
             {"right_output", contrast->right_output ? number(*contrast->right_output) : json()}};
  }
  json lines = json::array();
  for (const source_line& each : contrast->hard_coded) {
    json object{{"code", printable(each.function)}};
    object.update(place_json(each.file, each.line));
    lines.push_back(object);
  }
  return {{"right", contrast->right}, {"wrong", contrast->wrong}, {"first_difference", first}, {"hard_coded", lines}};
}

json repair_json(const std::optional<source_repair>& repair) {
  if (!repair) return {};
  json edits = json::array();
  for (const line_edit& each : repair->edits)
    edits.push_back({{"line", each.line}, {"replaces", each.replaces}, {"text", each.text}});
  return {{"file", printable(repair->file)}, {"edits", edits}};
}

json party_json(const schedule_decision& decided, const schedule_party& party) {
  const bool is_lane = decided.decided.of_blocks == 0;
  json object{{"block", party.group.block},
              {"warp", or_null(is_lane, party.group.warp)},
              {"lane", or_null(is_lane, std::countr_zero(party.group.lanes))}};
  object.update(place_json(printable(party.place.file), party.place.line));
  return object;
}

json shrunk_json(const std::optional<shrunk_schedule>& shrunk) {
  if (!shrunk) return {};
  json decisions = json::array();
  for (const schedule_decision& each : shrunk->decisions) {
    decisions.push_back({{"launch", or_null(each.decided.launch != 0, each.decided.launch)},
                         {"first", party_json(each, each.first)},
                         {"then", party_json(each, each.held)}});
  }
  constexpr std::string_view ends[] = {"smallest", "cut_short", "not_shown", "too_long"};
  return {{"end", ends[static_cast<std::size_t>(shrunk->ended)]},
          {"decisions", decisions},
          {"count", shrunk->count},
          {"of", shrunk->of_order},
          {"runs", shrunk->replays}};
}

json finding_json(const symbolized_finding& finding) {
  const warpz_finding& record = finding.record;
  json groups = json::array();
  for (const warpz_lane_group& group : groups_of(record)) {
    const std::size_t number = groups.size();
    groups.push_back(group_json(group, number < finding.places.size() ? finding.places[number] : source_line{}));
  }
  json stack = json::array();
  for (const source_line& frame : finding.stack) {
    json object{{"function", or_null(!frame.function.empty(), frame.function)}};
    object.update(place_json(frame.file, frame.line));
    object.update(code_json(frame));
    stack.push_back(object);
  }
  return {{"kind", kind_of(record.kind).name},
          {"rule", rule_text(finding)},
          {"kernel", printable(bounded(record.kernel))},
          {"signal", or_null(record.signal != 0, signal_name(record.signal))},
          {"address", or_null(has_address(record), fmt::format("{:#x}", record.address))},
          {"severity", record.severity == WARPZ_WARNING ? "warning" : "error"},
          {"on_purpose", finding.shown_on_purpose},
          {"suppressed_by", suppressed_json(finding.suppressed)},
          {"repeats", record.repeats},
          {"memory", memory_json(finding)},
          {"values", values_json(finding)},
          {"schedule_seed", or_null(finding.schedule != 0, finding.schedule)},
          {"shrunk_schedule", shrunk_json(finding.shrunk)},
          {"block_threads", or_null(finding.block_threads != 0, finding.block_threads)},
          {"notes", note_lines(finding)},
          {"warp_sizes", contrast_json(finding.contrast)},
          {"groups", groups},
          {"groups_left_out", record.groups_left_out},
          {"stack", stack},
          {"advice", or_null(!fix_text(finding).empty(), fix_text(finding))},
          {"repair", repair_json(finding.repair)}};
}

json mismatch_json(const mismatch& difference) {
  return {{"index", difference.index},
          {"block", or_null(difference.placed, difference.block)},
          {"warp", or_null(difference.placed, difference.warp)},
          {"lane", or_null(difference.placed, difference.lane)},
          {"output", number(difference.output)},
          {"expected", number(difference.expected)}};
}

json hidden_json(const std::vector<hidden_inputs>& passed) {
  json sizes = json::array();
  for (const hidden_inputs& each : passed) sizes.push_back({{"warp_size", each.warp_size}, {"count", each.count}});
  return sizes;
}

json launch_json(const puzzle_outcome& result) {
  const plan& launched = result.launched;
  return {{"kernel", result.kernel},   {"grid", launched.grid},     {"block", launched.block},
          {"output", launched.output}, {"inputs", launched.inputs}, {"state", launched.state},
          {"counts", launched.counts}};
}

/// The options that repeat it: "--size 5 --warp-size 64".
std::string repeat_words(const puzzle_outcome& result) {
  std::string words = data_words(result);
  if (result.on_cpu_machine) words += fmt::format(" --warp-size {}", result.warp_size);
  return words.empty() ? words : words.substr(1);
}

json findings_json(const outcome& result) {
  json findings = json::array();
  for (const symbolized_finding& each : result.findings) findings.push_back(finding_json(each));
  return findings;
}

json error_json(const error& reason) {
  return {{"message", reason.what()},
          {"advice", or_null(!reason.advice().empty(), reason.advice())},
          {"exit_code", static_cast<int>(reason.code())}};
}

/// A longer list is cut to so many elements, unless all are asked for: 2^28 numbers are gigabytes of text.
constexpr std::size_t max_list = std::size_t{1} << 16;

class json_report final : public report {
 public:
  json_report(output_stream& out, bool full) : out_(out), max_list_(full ? ~std::size_t{0} : max_list) {}

  void begin(const std::vector<std::string>&) override {
    const json head{{"version", json_format_version}, {"warpz", WARPZ_VERSION}};
    out_.write(fmt::format("{{{},\"runs\":[", members(head)));
  }

  void add(const puzzle_outcome& result) override {
    const json head{
        {"puzzle", result.puzzle->flag},
        {"title", result.puzzle->title},
        {"backend", result.backend},
        {"device", result.device},
        {"warp_size", result.warp_size},
        {"size", result.size},
        {"input", input_json(result.input)},
        {"pivot", result.pivot ? number(*result.pivot) : json()},
        {"shape", result.shape ? json{{"m", result.shape->m}, {"n", result.shape->n}, {"k", result.shape->k}} : json()},
        {"launch", launch_json(result)},
        {"launches", result.launches},
        {"path", or_null(!result.path.empty(), result.path)},
        {"repeat", repeat_words(result)}};
    json differences = json::array();
    for (const mismatch& each : result.first_mismatches) differences.push_back(mismatch_json(each));
    const bool ended = result.result != verdict::broken_rule;
    const bool prints_inputs = result.result != verdict::passed;
    const std::size_t longest =
        std::max({result.output.size(), result.expected.size(), prints_inputs ? result.inputs.size() : 0});
    const json tail{
        {"shortened", longest > max_list_},
        {"hidden_case", result.judged == case_kind::hidden},
        {"passed_hidden", hidden_json(result.passed_hidden)},
        {"verdict", verdict_name(result.result)},
        {"mismatch_count", result.mismatch_count},
        {"first_differences", differences},
        {"findings", findings_json(result)},
        {"findings_left_out", result.findings_left_out},
        {"findings_text", or_null(!result.findings.empty(), findings_text(result, {.columns = page_columns}))},
        {"milliseconds", or_null(ended, result.milliseconds)},
        {"costs", result.costs ? costs_json(*result.costs) : json()}};
    begin_run(result.result);
    out_.write(fmt::format("{{{},\"output\":", members(head)));
    write_list(result.output.all());
    out_.write(",\"input_values\":");
    if (prints_inputs) {
      write_list(result.inputs.all());
    } else {
      out_.write("null");
    }
    out_.write(",\"expected\":");
    write_list(result.expected.all());
    out_.write(fmt::format(",{}}}", members(tail)));
    out_.flush();
  }

  void add(const user_program_outcome& result) override {
    begin_run(result.result);
    out_.write(json_text({{"program", printable_files(result)},
                          {"backend", result.backend},
                          {"warp_size", result.warp_size},
                          {"exit_code", or_null(!result.was_stopped, result.exit_code)},
                          {"signal", or_null(result.signal != 0, signal_name(result.signal))},
                          {"verdict", verdict_name(result.result)},
                          {"findings", findings_json(result)},
                          {"findings_left_out", result.findings_left_out},
                          {"started_by_program", result.is_started},
                          {"costs", result.costs ? costs_json(*result.costs) : json()}}));
    out_.flush();
  }

  void add(const refused_run& refused) override {
    begin_run(verdict::passed);
    has_refused_ = true;
    out_.write(json_text({{"puzzle", refused.task->flag},
                          {"title", refused.task->title},
                          {"kernel_file", printable(refused.file)},
                          {"verdict", "error"},
                          {"error", error_json(refused.reason)}}));
    out_.flush();
  }

  void end(int code, const error* stopped_by) override {
    const bool is_error = stopped_by != nullptr || has_refused_;
    const json tail{{"verdict", is_error ? "error" : verdict_name(worst_)},
                    {"exit_code", code},
                    {"error", stopped_by != nullptr ? error_json(*stopped_by) : json()}};
    out_.write(fmt::format("{}],{}}}\n", any_ ? "\n" : "", members(tail)));
    out_.finish();
  }

 private:
  void begin_run(verdict result) {
    out_.write(any_ ? ",\n" : "\n");
    any_ = true;
    worst_ = std::max(worst_, result);
  }

  void write_list(std::span<const float> list) {
    out_.write("[");
    for (std::size_t i = 0; i < std::min(list.size(), max_list_); ++i) {
      if (i != 0) out_.write(",");
      if (std::isfinite(list[i])) {
        out_.write(list[i]);
      } else {
        out_.write(json_text(number(list[i])));
      }
    }
    out_.write("]");
  }

  output_stream& out_;
  const std::size_t max_list_;
  bool any_ = false;
  bool has_refused_ = false;
  verdict worst_ = verdict::passed;
};

}  // namespace

std::string_view verdict_name(verdict result) {
  switch (result) {
    case verdict::passed:
      return "passed";
    case verdict::wrong_result:
      return "wrong_result";
    case verdict::broken_rule:
      break;
  }
  return "broken_rule";
}

std::unique_ptr<report> make_json_report(output_stream& out, bool full) {
  return std::make_unique<json_report>(out, full);
}

}  // namespace warpz
