// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/perfetto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <set>

namespace warpz {
namespace {

using json = nlohmann::ordered_json;

class event_writer {
 public:
  event_writer(const trace& run, std::size_t process, std::size_t& arrows, json& events)
      : run_(run),
        process_(process),
        arrows_(arrows),
        events_(events),
        now_(run.warps(), 0),
        ends_(run.steps.size(), 0) {}

  void write() {
    name_tracks();
    for (std::size_t i = 0; i < run_.steps.size();) {
      const bool is_of_block = run_.steps[i].kind == step_kind::barrier && run_.warps() > 1;
      const std::size_t end = is_of_block ? end_of_group(run_, i) : i + 1;
      if (is_of_block) {
        add_barrier(i, end);
      } else {
        add_step(i);
      }
      i = end;
    }
    // What never ends lasts as long as all else, and then some.
    const std::uint64_t last = *std::max_element(now_.begin(), now_.end()) + 1;
    for (const std::size_t i : endless_) add_slice(i, now_[run_.steps[i].warp], last);
    for (const std::size_t i : endless_) now_[run_.steps[i].warp] = last;
    for (unsigned warp = 0; warp < run_.warps(); ++warp) add_active_lanes(warp, now_[warp], 0);
  }

 private:
  void name_tracks() {
    const std::string block = run_.grid[1] == 1 && run_.grid[2] == 1
                                  ? std::to_string(run_.block[0])
                                  : fmt::format("({}, {}, {})", run_.block[0], run_.block[1], run_.block[2]);
    name("process_name", 0,
         fmt::format("{}: {}block {}, {} lanes in a warp", run_.kernel, launch_text(run_), block, run_.warp_size));
    for (unsigned warp = 0; warp < run_.warps(); ++warp) name("thread_name", warp, fmt::format("warp {}", warp));
  }

  void name(std::string_view kind, unsigned track, const std::string& text) {
    events_.push_back({{"name", kind}, {"ph", "M"}, {"pid", process_}, {"tid", track}, {"args", {{"name", text}}}});
  }

  /// An event of a warp, at a time.
  json event(unsigned warp, std::string_view phase, std::uint64_t time, const std::string& text) const {
    return {{"name", text}, {"ph", phase}, {"ts", time}, {"pid", process_}, {"tid", warp}};
  }

  void add_active_lanes(unsigned warp, std::uint64_t time, int count) {
    json active = event(warp, "C", time, fmt::format("active lanes of warp {}", warp));
    active["args"] = {{"lanes", count}};
    events_.push_back(std::move(active));
  }

  void add_slice(std::size_t number, std::uint64_t begin, std::uint64_t end) {
    const trace_step& step = run_.steps[number];
    const std::uint64_t lanes = step.lanes_in(lane_state::active);
    const bool is_wait = end - begin > 1 || step.end == step_end::waits;
    // By another name it has another colour in the viewers.
    json slice = event(step.warp, "X", begin, is_wait ? "wait: " + step.operation : step.operation);
    slice["dur"] = end - begin;
    slice["cat"] = is_wait ? "wait" : "step";
    json about{{"step", number + 1}, {"lanes", lane_ranges(lanes)}};
    if (step.line != 0) about["source"] = fmt::format("{}:{}", step.file, step.line);
    if (!step.memory.empty()) about["memory"] = step.memory;
    if (step.join) about["goes on with"] = step.join->expression;
    if (!end_text(step.end).empty()) about["end"] = end_text(step.end);
    slice["args"] = about;
    events_.push_back(std::move(slice));
    add_active_lanes(step.warp, begin, std::popcount(lanes));
    if (step.finding.empty()) return;
    json found = event(step.warp, "i", begin, "found: " + step.finding);
    found["s"] = "t";
    events_.push_back(std::move(found));
  }

  /// An arrow from the middle of the step that has written to that of the one that reads.
  void add_arrow(std::size_t from, std::size_t to, std::uint64_t begin) {
    const auto end_point = [&](std::size_t number, std::string_view phase, double time) {
      const trace_step& step = run_.steps[number];
      return json{{"name", step.memory.empty() ? "memory" : step.memory},
                  {"cat", "memory"},
                  {"ph", phase},
                  {"id", arrows_},
                  {"ts", time},
                  {"pid", process_},
                  {"tid", step.warp}};
    };
    ++arrows_;
    constexpr double middle = 0.5;
    events_.push_back(end_point(from, "s", static_cast<double>(ends_[from]) - middle));
    json arrival = end_point(to, "f", static_cast<double>(begin) + middle);
    arrival["bp"] = "e";
    events_.push_back(std::move(arrival));
  }

  void add_step(std::size_t number) {
    const trace_step& step = run_.steps[number];
    if (step.end != step_end::completes) return endless_.push_back(number);
    std::uint64_t begin = now_[step.warp];
    std::set<std::size_t> writers;
    for (const lane_part& part : step.lanes) {
      if (part.writer && part.writer->step < number && run_.steps[part.writer->step].warp != step.warp)
        writers.insert(part.writer->step);
    }
    for (const std::size_t each : writers) begin = std::max(begin, ends_[each]);
    for (const std::size_t each : writers) add_arrow(each, number, begin);
    add_slice(number, begin, begin + 1);
    ends_[number] = now_[step.warp] = begin + 1;
  }

  /// All warps leave it when the last has come.
  void add_barrier(std::size_t begin, std::size_t end) {
    if (run_.steps[begin].end != step_end::completes) {
      for (std::size_t i = begin; i < end; ++i) endless_.push_back(i);
      return;
    }
    std::uint64_t last = 0;
    for (std::size_t i = begin; i < end; ++i) last = std::max(last, now_[run_.steps[i].warp] + 1);
    for (std::size_t i = begin; i < end; ++i) {
      add_slice(i, now_[run_.steps[i].warp], last);
      ends_[i] = now_[run_.steps[i].warp] = last;
    }
  }

  const trace& run_;
  const std::size_t process_;
  std::size_t& arrows_;
  json& events_;
  std::vector<std::uint64_t> now_;   ///< one for each warp
  std::vector<std::uint64_t> ends_;  ///< one for each step
  std::vector<std::size_t> endless_;
};

}  // namespace

std::string trace_perfetto(const std::vector<trace>& all) {
  json events = json::array();
  std::size_t arrows = 0;
  for (std::size_t i = 0; i < all.size(); ++i) event_writer(all[i], i + 1, arrows, events).write();
  std::string text =
      "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"time\":\"a step takes one microsecond: none is "
      "measured\"},\n\"traceEvents\":[";
  for (const json& each : events)
    text += (&each == &events.front() ? "\n" : ",\n") + each.dump(-1, ' ', false, json::error_handler_t::replace);
  return text + "\n]}\n";
}

}  // namespace warpz
