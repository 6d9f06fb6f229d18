// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "text/number.hpp"

namespace warpz {
namespace {

float float_of_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float sign = (bits >> 15) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  return sign * (exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                               : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25));
}

std::string double_text(double value) {
  if (std::isnan(value)) return "nan";
  std::string text = fmt::format("{}", value);
  if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

/// The lane that a pattern makes the source of this one; a lane without a source keeps its own value.
unsigned source_by(const movement_pattern& pattern, unsigned lane) {
  const unsigned place = lane % pattern.width, first = lane - place;
  switch (pattern.shape) {
    case movement_pattern::kind::exchange:
      return pattern.amount < pattern.width ? lane ^ pattern.amount : lane;
    case movement_pattern::kind::from_above:
      return place + pattern.amount < pattern.width ? lane + pattern.amount : lane;
    case movement_pattern::kind::from_below:
      return place >= pattern.amount ? lane - pattern.amount : lane;
    case movement_pattern::kind::from_one:
      return pattern.amount < pattern.width ? first + pattern.amount : lane;
    case movement_pattern::kind::from_part:
      return (lane ^ pattern.amount) & ~(pattern.amount - 1);
    case movement_pattern::kind::none:
      break;
  }
  return lane;
}

bool explains(const movement_pattern& pattern, const trace_step& step, std::uint64_t present) {
  for (unsigned lane = 0; lane < step.lanes.size(); ++lane) {
    const lane_part& part = step.lanes[lane];
    if (!part.source) continue;
    const unsigned predicted = source_by(pattern, lane);
    // Where the block has no such lane, the library gives a lane its own value.
    const bool exists = (present >> predicted & 1) != 0;
    if (*part.source != predicted && (exists || *part.source != lane)) return false;
  }
  return true;
}

/// Whether two steps, one after the other, are those of two warps at one barrier of the block.
bool is_same_barrier(const trace_step& one, const trace_step& next) {
  return one.kind == step_kind::barrier && next.kind == step_kind::barrier && one.line == next.line &&
         one.file == next.file && one.end == next.end && one.warp < next.warp;
}

/// Whether the lanes do the same again.
bool is_repeated(const trace_step& one, const trace_step& next, std::uint64_t lanes) {
  return one.kind == next.kind && one.warp == next.warp && one.line == next.line && one.file == next.file &&
         one.memory == next.memory && next.lanes_in(lane_state::active) == lanes && next.finding.empty();
}

}  // namespace

std::uint64_t trace_step::lanes_in(lane_state state) const {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (lanes[i].state == state) found |= std::uint64_t{1} << i;
  }
  return found;
}

std::uint64_t trace::present_in(unsigned warp) const {
  const unsigned lanes = std::min(warp_size, threads - warp * warp_size);
  return lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
}

std::size_t trace::first_of_interest() const {
  const auto is_undefined = [](const lane_part& each) { return each.before.is_undefined || each.after.is_undefined; };
  const auto first = [this](const auto& is_it) {
    return static_cast<std::size_t>(std::find_if(steps.begin(), steps.end(), is_it) - steps.begin());
  };
  std::size_t at = first([](const trace_step& each) { return !each.finding.empty() && !each.is_found_wrong; });
  if (at == steps.size()) at = first([](const trace_step& each) { return !each.finding.empty(); });
  if (at == steps.size()) {
    at = first([&](const trace_step& each) { return std::any_of(each.lanes.begin(), each.lanes.end(), is_undefined); });
  }
  return at == steps.size() ? 0 : at;
}

bool trace::is_shown(std::size_t step) const {
  return step >= shown_from && step < shown_end() && (shown_warps >> steps[step].warp & 1) != 0;
}

std::vector<std::size_t> trace::shown() const {
  std::vector<std::size_t> numbers;
  for (std::size_t i = shown_from; i < shown_end(); ++i) {
    if (is_shown(i)) numbers.push_back(i);
  }
  return numbers;
}

std::size_t end_of_group(const trace& run, std::size_t first) {
  const std::uint64_t lanes = run.steps[first].lanes_in(lane_state::active);
  std::size_t end = first + 1;
  if (run.steps[first].kind == step_kind::barrier) {
    while (end < run.shown_end() && is_same_barrier(run.steps[end - 1], run.steps[end])) ++end;
  } else if (std::has_single_bit(lanes) && run.steps[first].is_access() && run.steps[first].finding.empty()) {
    while (end < run.shown_end() && is_repeated(run.steps[first], run.steps[end], lanes)) ++end;
  }
  return end;
}

std::string value_text(const lane_value& value, warpz_value_type type) {
  if (!value.is_known || value.is_undefined) return "?";
  const std::uint64_t bits = value.bits;
  switch (type) {
    case WARPZ_INT32:
      return std::to_string(static_cast<std::int32_t>(bits));
    case WARPZ_UINT32:
      return std::to_string(static_cast<std::uint32_t>(bits));
    case WARPZ_INT64:
      return std::to_string(static_cast<std::int64_t>(bits));
    case WARPZ_UINT64:
      return std::to_string(bits);
    case WARPZ_FLOAT32:
      return number_text(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case WARPZ_FLOAT64:
      return double_text(std::bit_cast<double>(bits));
    case WARPZ_FLOAT16:
      return number_text(float_of_half(static_cast<std::uint16_t>(bits)));
    case WARPZ_BFLOAT16:
      return number_text(std::bit_cast<float>(static_cast<std::uint32_t>(bits & 0xffff) << 16));
    case WARPZ_FLOAT32_PAIR:
      return fmt::format("({}, {})", number_text(std::bit_cast<float>(static_cast<std::uint32_t>(bits))),
                         number_text(std::bit_cast<float>(static_cast<std::uint32_t>(bits >> 32))));
    case WARPZ_BITS:
      break;
  }
  return fmt::format("{:#x}", bits);
}

std::string_view end_text(step_end end) {
  constexpr std::string_view texts[] = {"", "never completes", "never ends", "ends the kernel", "", "not recorded"};
  return texts[static_cast<unsigned>(end)];
}

std::string_view lanes_end_text(step_end end, bool is_one) {
  constexpr std::string_view many[] = {"meet", "wait", "run on", "stop", "return", "come here later"},
                             one[] = {"meets", "waits", "runs on", "stops", "returns", "comes here later"};
  return (is_one ? one : many)[static_cast<unsigned>(end)];
}

std::string launch_text(const trace& run) { return run.launch == 0 ? "" : fmt::format("launch {}, ", run.launch); }

std::string steps_text(const trace& run) {
  const std::vector<std::size_t> shown = run.shown();
  if (shown.size() == run.steps.size() || shown.empty()) return {};
  std::uint64_t warps = 0;
  for (unsigned warp = 0; warp < run.warps(); ++warp) warps |= run.shown_warps & std::uint64_t{1} << warp;
  const bool is_of_all = std::popcount(warps) == static_cast<int>(run.warps());
  const std::string whose =
      is_of_all ? "" : fmt::format(": those of warp{} {}", std::has_single_bit(warps) ? "" : "s", lane_ranges(warps));
  if (run.shown_from == 0 && run.shown_end() == run.steps.size())
    return fmt::format("{} of {} steps{}", shown.size(), run.steps.size(), whose);
  const std::size_t first = run.shown_from + 1, last = run.shown_end();
  return (first == last ? fmt::format("step {} of {}", first, run.steps.size())
                        : fmt::format("steps {} to {} of {}", first, last, run.steps.size())) +
         whose;
}

std::string other_steps_text(const trace& run) {
  return run.is_cut && run.warps() > 1 ? "--warp and --steps show others" : "--steps shows others";
}

std::string order_text(const trace& run) { return run.schedule == 0 ? "" : fmt::format(", in order {}", run.schedule); }

movement_pattern pattern_of(const trace_step& step, std::uint64_t present) {
  using kind = movement_pattern::kind;
  const auto warp_size = static_cast<unsigned>(step.lanes.size());
  std::optional<unsigned> mover;  // the first lane that gets another one's value
  for (unsigned lane = 0; lane < warp_size && !mover; ++lane) {
    if (step.lanes[lane].source.value_or(lane) != lane) mover = lane;
  }
  if (!mover) return {};
  const unsigned source = *step.lanes[*mover].source;
  for (unsigned width = warp_size; width > 1; width /= 2) {
    const movement_pattern candidates[] = {
        {kind::from_one, source % width, width},
        {kind::exchange, *mover ^ source, width},
        {kind::from_above, source - *mover, width},
        {kind::from_below, *mover - source, width},
        {kind::from_part, std::bit_floor(*mover ^ source), width},
    };
    for (const movement_pattern& each : candidates) {
      if (each.amount < width && explains(each, step, present)) return each;
    }
  }
  return {};
}

std::string pattern_text(const movement_pattern& pattern, unsigned warp_size) {
  switch (pattern.shape) {
    case movement_pattern::kind::exchange:
      return fmt::format("lane ^ {}", pattern.amount);
    case movement_pattern::kind::from_above:
      return fmt::format("lane + {}", pattern.amount);
    case movement_pattern::kind::from_below:
      return fmt::format("lane - {}", pattern.amount);
    case movement_pattern::kind::from_one:
      return pattern.width == warp_size ? fmt::format("lane {}", pattern.amount)
                                        : fmt::format("lane {} of each {}", pattern.amount, pattern.width);
    case movement_pattern::kind::from_part:
      return fmt::format("(lane ^ {}) & ~{}", pattern.amount, pattern.amount - 1);
    case movement_pattern::kind::none:
      break;
  }
  return {};
}

std::string lane_ranges(std::uint64_t lanes) {
  std::string text;
  for (unsigned first = 0; first < 64;) {
    if ((lanes >> first & 1) == 0) {
      ++first;
      continue;
    }
    const unsigned last = first + static_cast<unsigned>(std::countr_one(lanes >> first)) - 1;
    if (!text.empty()) text += ", ";
    text += last == first ? std::to_string(first) : fmt::format("{}..{}", first, last);
    first = last + 1;
  }
  return text;
}

}  // namespace warpz
