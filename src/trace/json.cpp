// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/json.hpp"

#include <fmt/format.h>
#include <bit>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

#include "counters/text.hpp"

namespace warpz {
namespace {

using json = nlohmann::ordered_json;

std::string json_text(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

template <class Value>
json or_null(bool known, Value value) {
  return known ? json(value) : json();
}

bool is_float(warpz_value_type type) { return type >= WARPZ_FLOAT32 && type <= WARPZ_BFLOAT16; }

/// A number; a string of NaN, infinities, pairs and bits; null of what is not known.
json value_json(lane_value value, warpz_value_type type) {
  if (!value.is_known) return {};
  value.is_undefined = false;
  const std::string text = value_text(value, type);
  if (type == WARPZ_BITS) return text;
  if (type == WARPZ_INT64) return static_cast<std::int64_t>(value.bits);
  if (type == WARPZ_UINT64) return value.bits;
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || !std::isfinite(number)) return text;
  return is_float(type) ? json(number) : json(static_cast<std::int64_t>(number));
}

/// A set of lanes as its bits.
std::string mask_text(std::uint64_t lanes) { return fmt::format("{:#x}", lanes); }

/// Votes and matches have sets of lanes for results.
json result_json(const trace_step& step, const lane_value& value) {
  const bool is_set = step.movement == WARPZ_VOTES || step.movement == WARPZ_MATCHES || step.movement == WARPZ_MEETS;
  return is_set && value.is_known ? json(mask_text(value.bits)) : value_json(value, step.type);
}

std::string_view name_of(step_kind kind) {
  constexpr std::string_view names[] = {"load", "store", "update", "atomic", "collective", "barrier"};
  return names[static_cast<unsigned>(kind)];
}

std::string_view name_of(step_end end) {
  constexpr std::string_view names[] = {"completes", "waits", "runs_on", "stops", "returns", "unrecorded"};
  return names[static_cast<unsigned>(end)];
}

std::string_view name_of(lane_state state) {
  constexpr std::string_view names[] = {"active", "inactive", "returned", "not_in_mask", "absent"};
  return names[static_cast<unsigned>(state)];
}

std::string_view name_of(warpz_movement movement) {
  constexpr std::string_view names[] = {"move", "vote", "match", "combine", "meet", "decide"};
  return names[static_cast<unsigned>(movement) - WARPZ_MOVES];
}

std::string_view name_of(warpz_value_type type) {
  constexpr std::string_view names[] = {"bits",    "int32",   "uint32",  "int64",    "uint64",
                                        "float32", "float64", "float16", "bfloat16", "float32_pair"};
  return names[static_cast<unsigned>(type)];
}

json pattern_json(const movement_pattern& pattern) {
  if (pattern.shape == movement_pattern::kind::none) return {};
  constexpr std::string_view names[] = {"", "xor", "down", "up", "idx", "part"};
  return {{"kind", names[static_cast<unsigned>(pattern.shape)]}, {"amount", pattern.amount}, {"width", pattern.width}};
}

/// With `has_costs`, also where in memory the lane's access is.
json lane_json(const trace_step& step, unsigned lane, bool has_costs) {
  const lane_part& part = step.lanes[lane];
  json object{{"lane", lane}, {"state", name_of(part.state)}};
  if (part.state != lane_state::active) return object;
  switch (step.kind) {
    case step_kind::load:
    case step_kind::store:
      object["index"] = part.index;
      object["value"] = value_json(part.after, step.type);
      break;
    case step_kind::update:
    case step_kind::atomic:
      object["index"] = part.index;
      object["before"] = value_json(part.before, step.type);
      object["after"] = value_json(part.after, step.type);
      break;
    case step_kind::collective:
      object["operand"] = value_json(part.before, step.type);
      if (step.movement == WARPZ_MOVES) {
        object["source"] = or_null(part.source.has_value(), part.source.value_or(0));
        object["keeps_own"] = part.keeps_own;
      }
      object["result"] = result_json(step, part.after);
      break;
    case step_kind::barrier:
      break;
  }
  if (part.writer) object["writer"] = {{"thread", part.writer->thread}, {"step", part.writer->step + 1}};
  if (step.is_access()) object["turn"] = part.turn + 1;
  if (step.is_access() && has_costs) object["offset"] = part.offset;
  if (part.before.is_undefined) object["undefined_before"] = true;
  if (part.after.is_undefined) object["undefined"] = true;
  return object;
}

json explanation_json(const explanation& words) {
  json parties = json::array();
  for (const finding_party& each : words.parties)
    parties.push_back({{"words", each.words}, {"step", or_null(each.step.has_value(), each.step.value_or(0) + 1)}});
  return {{"headline", words.headline},
          {"rule", words.rule},
          {"repair", or_null(!words.repair.empty(), words.repair)},
          {"parties", parties}};
}

/// Threads by their numbers in the block, steps by theirs in the whole trace.
json races_json(const trace_step& step) {
  json races = json::array();
  for (const racing_element& each : step.races)
    races.push_back({{"index", each.index}, {"thread", each.other_thread}, {"step", each.other_step + 1}});
  return races;
}

json step_json(const trace_step& step, std::size_t number, std::uint64_t shown, bool has_costs) {
  json object{{"number", number},
              {"kind", name_of(step.kind)},
              {"warp", step.warp},
              {"operation", step.operation},
              {"file", or_null(!step.file.empty(), step.file)},
              {"line", or_null(step.line != 0, step.line)}};
  if (step.kind == step_kind::collective) {
    object["movement"] = name_of(step.movement);
    object["pattern"] = pattern_json(step.pattern);
    object["mask"] = or_null(step.mask != 0, mask_text(step.mask));
  } else if (step.kind != step_kind::barrier) {
    object["memory"] = or_null(!step.memory.empty(), step.memory);
    object["shared"] = step.is_shared;
    if (has_costs) object["bytes"] = step.bytes;
  }
  if (step.kind != step_kind::barrier) object["type"] = name_of(step.type);
  if (step.join) object["join"] = {{"expression", step.join->expression}, {"lanes", mask_text(step.join->lanes)}};
  if (step.end != step_end::completes) {
    object["completes"] = false;
    object["end"] = name_of(step.end);
  }
  if (!step.finding.empty()) {
    object["finding"] = {
        {"what", step.finding}, {"breaks_rule", !step.is_found_wrong}, {"lanes", mask_text(step.found_lanes)}};
  }
  if (!step.races.empty()) object["races"] = races_json(step);
  json lanes = json::array();
  for (unsigned lane = 0; lane < step.lanes.size(); ++lane) {
    if ((shown >> lane & 1) != 0) lanes.push_back(lane_json(step, lane, has_costs));
  }
  object["lanes"] = std::move(lanes);
  return object;
}

std::string run_text(const trace& run, std::uint64_t shown) {
  const std::vector<std::size_t> numbers = run.shown();
  json sources = json::array();
  for (const source_file& file : run.sources)
    sources.push_back({{"file", file.name}, {"is_include", file.is_include}, {"lines", file.lines}});
  json findings = json::array();
  for (const trace_finding& each : run.findings)
    findings.push_back({{"kind", each.kind}, {"file", each.file}, {"line", each.line}});
  json explanations = json::array();
  for (const explanation& each : run.explanations) explanations.push_back(explanation_json(each));
  json head{{"puzzle", or_null(!run.title.empty(), run.title)},
            {"kernel", run.kernel},
            {"warp_size", run.warp_size},
            {"grid", run.grid},
            {"block", run.block},
            {"threads", run.threads},
            {"launch", or_null(run.launch != 0, run.launch)},
            {"schedule", or_null(run.schedule != 0, run.schedule)},
            {"first_step", numbers.empty() ? 1 : numbers.front() + 1},
            {"events_left_out", run.left_out},
            {"findings", findings},
            {"explanations", explanations},
            {"wrong", run.wrong_elements}};
  if (run.costs) head["costs"] = costs_json(*run.costs);
  std::string text = json_text(head);
  text.pop_back();
  text += fmt::format(",\n\"sources\":{},\n\"steps\":[", json_text(sources));
  for (const std::size_t each : numbers)
    text += (each == numbers.front() ? "\n" : ",\n") +
            json_text(step_json(run.steps[each], each + 1, shown, run.costs.has_value()));
  return text + "]}";
}

}  // namespace

std::string trace_json(const std::vector<trace>& all, std::uint64_t shown) {
  std::string text = fmt::format("{{\"version\":{},\"warpz\":\"{}\",\"traces\":[", trace_format_version, WARPZ_VERSION);
  for (std::size_t i = 0; i < all.size(); ++i) text += (i == 0 ? "\n" : ",\n") + run_text(all[i], shown);
  return text + "\n]}\n";
}

}  // namespace warpz
