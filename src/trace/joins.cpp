// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/joins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>

namespace warpz {
namespace {

enum class operation { take, add, subtract, subtract_from, multiply, largest, smallest, bit_and, bit_or, bit_xor };
constexpr std::array operations{operation::take,     operation::largest,       operation::smallest, operation::add,
                                operation::subtract, operation::subtract_from, operation::multiply, operation::bit_and,
                                operation::bit_or,   operation::bit_xor};

template <class Number>
std::optional<Number> joined(operation by, Number gave, Number got) {
  switch (by) {
    case operation::take:
      return got;
    case operation::add:
      return gave + got;
    case operation::subtract:
      return got - gave;
    case operation::subtract_from:
      return gave - got;
    case operation::multiply:
      return gave * got;
    case operation::largest:
      return std::max(gave, got);
    case operation::smallest:
      return std::min(gave, got);
    default:
      return {};
  }
}

template <class Number>
std::optional<Number> joined_bits(operation by, Number gave, Number got) {
  switch (by) {
    case operation::bit_and:
      return gave & got;
    case operation::bit_or:
      return gave | got;
    case operation::bit_xor:
      return gave ^ got;
    default:
      return joined(by, gave, got);
  }
}

template <class Number>
bool is_joined_as(operation by, std::uint64_t gave, std::uint64_t got, std::uint64_t next) {
  if constexpr (std::is_floating_point_v<Number>) {
    using bits = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
    const auto number = [](std::uint64_t word) { return std::bit_cast<Number>(static_cast<bits>(word)); };
    return joined(by, number(gave), number(got)) == number(next);
  } else {
    // Sums of signed numbers may wrap; which of two is larger depends on the sign.
    using word = std::make_unsigned_t<Number>;
    const bool compares = by == operation::largest || by == operation::smallest;
    if (compares) return joined(by, static_cast<Number>(gave), static_cast<Number>(got)) == static_cast<Number>(next);
    return joined_bits(by, static_cast<word>(gave), static_cast<word>(got)) == static_cast<word>(next);
  }
}

bool is_joined(operation by, warpz_value_type type, std::uint64_t gave, std::uint64_t got, std::uint64_t next) {
  switch (type) {
    case WARPZ_INT32:
      return is_joined_as<std::int32_t>(by, gave, got, next);
    case WARPZ_UINT32:
      return is_joined_as<std::uint32_t>(by, gave, got, next);
    case WARPZ_INT64:
      return is_joined_as<std::int64_t>(by, gave, got, next);
    case WARPZ_UINT64:
      return is_joined_as<std::uint64_t>(by, gave, got, next);
    case WARPZ_FLOAT32:
      return is_joined_as<float>(by, gave, got, next);
    case WARPZ_FLOAT64:
      return is_joined_as<double>(by, gave, got, next);
    default:
      return by == operation::take && got == next;
  }
}

/// Whether the result stands for the values of both: a difference does not.
bool gathers(operation by) {
  return by != operation::take && by != operation::subtract && by != operation::subtract_from;
}

/// What the lane gives or stores in a step; nothing where it does neither.
const lane_value* given_in(const trace_step& step, unsigned lane) {
  const lane_part& part = step.lanes[lane];
  if (part.state != lane_state::active) return nullptr;
  const bool gives = step.kind == step_kind::collective && step.movement != WARPZ_MEETS && !step.is_vote();
  const lane_value* const value = gives ? &part.before : step.kind == step_kind::store ? &part.after : nullptr;
  return value != nullptr && value->is_known && !value->is_undefined ? value : nullptr;
}

bool gives_any(const trace_step& step) {
  bool any = false;
  for_each_lane(step.lanes_in(lane_state::active),
                [&](unsigned lane) { any = any || given_in(step, lane) != nullptr; });
  return any;
}

/// The lines between the two steps and a little behind them, where the operation stands.
std::string code_between(const trace& run, const trace_step& step, const trace_step& next) {
  constexpr unsigned lines_behind = 2, most_lines = 12;
  std::string code;
  for (const source_file& file : run.sources) {
    if (file.name != step.file) continue;
    const unsigned first = next.file == step.file ? std::min(step.line, next.line) : step.line;
    const unsigned last = (next.file == step.file ? std::max(step.line, next.line) : step.line) + lines_behind;
    if (first == 0 || last - first > most_lines) continue;
    for (unsigned line = first; line <= last && line <= file.lines.size(); ++line) code += file.lines[line - 1] + '\n';
  }
  return code;
}

/// How the kernel spells a maximum or a minimum.
std::string_view spelling(std::string_view code, operation by) {
  constexpr std::array largest{"fmaxf", "fmax", "max"}, smallest{"fminf", "fmin", "min"};
  const auto& words = by == operation::largest ? largest : smallest;
  for (const std::string_view each : words) {
    if (code.find(std::string(each) + "(") != std::string_view::npos) return each;
  }
  return {};
}

/// Whether the kernel's text speaks for the operation, where values alone do not decide.
bool is_likely(operation by, std::string_view code, std::string_view name) {
  switch (by) {
    case operation::largest:
      return !spelling(code, by).empty() || name.find("max") != std::string_view::npos;
    case operation::smallest:
      return !spelling(code, by).empty() || name.find("min") != std::string_view::npos;
    case operation::add:
      return name.find("sum") != std::string_view::npos || name.find("scan") != std::string_view::npos ||
             code.find("+=") != std::string_view::npos;
    case operation::take:
      return only_moves(name) && code.find("+=") == std::string_view::npos;
    default:
      return false;
  }
}

std::string text_of(operation by, std::string_view code) {
  constexpr std::string_view texts[] = {"got",        "gave + got",     "got - gave",     "gave - got",
                                        "gave * got", "max(gave, got)", "min(gave, got)", "gave & got",
                                        "gave | got", "gave ^ got"};
  const bool is_named = by == operation::largest || by == operation::smallest;
  const std::string_view word = is_named ? spelling(code, by) : "";
  return word.empty() ? std::string(texts[static_cast<unsigned>(by)]) : fmt::format("{}(gave, got)", word);
}

struct candidate {
  operation by;
  std::uint64_t lanes = 0;  ///< that it explains; the others keep what they gave
};

class join_finder {
 public:
  join_finder(const trace& run, const trace_step& step, const trace_step& next) : run_(run), step_(step), next_(next) {
    for_each_lane(step.lanes_in(lane_state::active) & next.lanes_in(lane_state::active), [&](unsigned lane) {
      const lane_part& part = step.lanes[lane];
      const bool is_known = part.before.is_known && part.after.is_known && !part.after.is_undefined;
      if (is_known && given_in(next, lane) != nullptr) lanes_ |= std::uint64_t{1} << lane;
    });
  }

  std::optional<value_join> find() const {
    if (std::popcount(lanes_) < least_lanes) return {};
    std::vector<candidate> fitting;
    for (const operation by : operations) {
      if (const std::uint64_t explained = explained_by(by); explained != 0) fitting.push_back({by, explained});
    }
    const std::string code = code_between(run_, step_, next_);
    const bool is_doubtful = fitting.size() > 1;
    std::erase_if(fitting, [&](const candidate& each) {
      return (is_doubtful || !explains_enough(each)) && !is_likely(each.by, code, step_.operation);
    });
    if (fitting.empty()) return either_of_two(code);
    return value_join{text_of(fitting.front().by, code), fitting.front().lanes, gathers(fitting.front().by)};
  }

 private:
  /// Two lanes agree with some operation by chance too often.
  static constexpr int least_lanes = 3;

  /// Of all lanes, or of all but those that have no source, such as the first ones of an upward shuffle.
  bool explains_enough(const candidate& each) const {
    std::uint64_t sourceless = 0;
    for_each_lane(lanes_, [&](unsigned lane) {
      if (step_.lanes[lane].keeps_own) sourceless |= std::uint64_t{1} << lane;
    });
    return each.lanes == lanes_ || (each.lanes == (lanes_ & ~sourceless) && std::popcount(each.lanes) >= least_lanes);
  }

  bool fits(operation by, unsigned lane) const {
    const lane_part& part = step_.lanes[lane];
    return is_joined(by, step_.type, part.before.bits, part.after.bits, given_in(next_, lane)->bits);
  }

  bool is_kept(unsigned lane) const { return step_.lanes[lane].before.bits == given_in(next_, lane)->bits; }

  /// The lanes that go on with it, if the others keep what they gave and some could not have kept it. Lanes of which
  /// some take what they got and others do not have chosen between the two, by an operation that this does not name.
  std::uint64_t explained_by(operation by) const {
    std::uint64_t explained = 0, either = 0;  // either: lanes that agree with both
    bool changes = false, is_all = true, is_left_out = false;
    for_each_lane(lanes_, [&](unsigned lane) {
      const std::uint64_t bit = std::uint64_t{1} << lane;
      const bool has_no_source = step_.lanes[lane].keeps_own;
      if (fits(by, lane)) {
        explained |= bit;
        changes = changes || !is_kept(lane);
        if (is_kept(lane) && has_no_source) either |= bit;
      } else {
        is_all = is_all && is_kept(lane) && by != operation::take;
        is_left_out = is_left_out || has_no_source;
      }
    });
    // Lanes without a source do what those among them do that agree with one alone.
    if (is_left_out) explained &= ~either;
    return is_all && changes ? explained : 0;
  }

  bool is_either(operation one, operation other) const {
    bool is_all = true, changes = false;
    std::set<std::uint64_t> values;
    for_each_lane(lanes_, [&](unsigned lane) {
      is_all = is_all && (fits(one, lane) || fits(other, lane));
      changes = changes || !is_kept(lane);
      values.insert(given_in(next_, lane)->bits);
    });
    // Zeros and ones agree with too much.
    constexpr std::size_t least_values = 4;
    return is_all && changes && values.size() >= least_values;
  }

  /// As in a sorting network, where some lanes keep the larger value and others the smaller one, or in a transform,
  /// where some add and others subtract.
  std::optional<value_join> either_of_two(std::string_view code) const {
    if (is_either(operation::largest, operation::smallest)) {
      const std::string_view smaller = spelling(code, operation::smallest), larger = spelling(code, operation::largest);
      const bool is_spelled = !smaller.empty() && !larger.empty();
      return value_join{is_spelled ? fmt::format("{} or {}", smaller, larger) : "gave or got", lanes_, false};
    }
    if (is_either(operation::add, operation::subtract)) return value_join{"gave + got or got - gave", lanes_, false};
    return {};
  }

  const trace& run_;
  const trace_step& step_;
  const trace_step& next_;
  std::uint64_t lanes_ = 0;  ///< whose values are known before and after
};

}  // namespace

bool only_moves(std::string_view operation) {
  constexpr std::array words{"shfl", "shuffle", "broadcast", "perm", "swizzle", "dpp", "readlane", "readfirstlane"};
  return std::any_of(words.begin(), words.end(),
                     [operation](std::string_view each) { return operation.find(each) != std::string_view::npos; });
}

void find_joins(trace& run) {
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    trace_step& step = run.steps[i];
    if (step.kind != step_kind::collective || step.movement != WARPZ_MOVES) continue;
    // In a loop, the same call's next round; other steps between the two may be about other values.
    constexpr std::size_t reach = 8;
    std::optional<std::size_t> again, next;
    std::size_t seen = 0;
    for (std::size_t k = i + 1; k < run.steps.size() && seen < reach && !again; ++k) {
      const trace_step& each = run.steps[k];
      if (each.warp != step.warp || !gives_any(each)) continue;
      ++seen;
      if (!next) next = k;
      if (each.line == step.line && each.file == step.file && each.operation == step.operation) again = k;
    }
    for (const std::optional<std::size_t>& each : {again, next}) {
      if (!each || run.steps[*each].type != step.type || step.join) continue;
      step.join = join_finder(run, step, run.steps[*each]).find();
      if (step.join) step.join->shown_by = *each;
    }
  }
}

}  // namespace warpz
