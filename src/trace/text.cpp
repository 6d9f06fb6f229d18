// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "text/wrapped.hpp"

namespace warpz {
namespace {

constexpr std::string_view margin = "     ";

/// A row of a table: a value for each lane, empty where there is none.
struct row {
  std::string label;
  std::vector<std::string> values;
};

/// "lane + 32", "4 * lane", "31 - lane"; a number where the factor is 0.
std::string linear_text(std::int64_t factor, std::int64_t offset) {
  if (factor == 0) return std::to_string(offset);
  if (factor == -1) return fmt::format("{} - lane", offset);
  std::string product = factor == 1 ? "lane" : fmt::format("{} * lane", factor);
  if (offset == 0) return product;
  return offset > 0 ? fmt::format("{} + {}", product, offset)
                    : fmt::format("{} - {}", product, 0 - static_cast<std::uint64_t>(offset));
}

/// "input[lane + 32]", "output[3]"; empty where no such formula gives the lanes' elements. Their numbers may be any.
std::string element_text(const trace_step& step, std::uint64_t lanes) {
  if (lanes == 0) return {};
  if (step.is_single_value) return step.memory;
  const auto first = static_cast<unsigned>(std::countr_zero(lanes)),
             last = 63 - static_cast<unsigned>(std::countl_zero(lanes));
  const auto index = [&](unsigned lane) { return static_cast<std::uint64_t>(step.lanes[lane].index); };
  const auto across = static_cast<std::int64_t>(index(last) - index(first));
  const std::int64_t factor = first == last ? 0 : across / static_cast<std::int64_t>(last - first);
  const std::uint64_t offset = index(first) - static_cast<std::uint64_t>(factor) * first;
  bool is_linear = true;
  for_each_lane(lanes, [&](unsigned lane) {
    is_linear = is_linear && index(lane) == static_cast<std::uint64_t>(factor) * lane + offset;
  });
  if (!is_linear) return {};
  return fmt::format("{}[{}]", step.memory.empty() ? "memory" : step.memory,
                     linear_text(factor, static_cast<std::int64_t>(offset)));
}

struct source_rule {
  std::uint64_t lanes = 0;  ///< whose sources follow it
  std::string words;        ///< "lane + 1"
};

/// What holds for at least half of the lanes, and for three: the others are its exceptions. By their sources: lanes
/// that get what is defined from any others.
std::optional<source_rule> rule_of_most(const trace_step& step, const std::map<unsigned, std::uint64_t>& by_source) {
  std::map<std::string, std::uint64_t> rules;
  int lanes = 0;
  for (const auto& [source, receivers] : by_source) {
    if (step.lanes[source].state != lane_state::active) continue;
    lanes += std::popcount(receivers);
    for_each_lane(receivers, [&, from = source](unsigned lane) {
      const std::uint64_t bit = std::uint64_t{1} << lane;
      rules[fmt::format("lane ^ {}", lane ^ from)] |= bit;
      rules[from > lane ? fmt::format("lane + {}", from - lane) : fmt::format("lane - {}", lane - from)] |= bit;
    });
  }
  source_rule most;
  for (const auto& [words, followers] : rules) {
    if (std::popcount(followers) > std::popcount(most.lanes)) most = {followers, words};
  }
  const int count = std::popcount(most.lanes);
  return count >= 3 && 2 * count >= lanes ? std::optional(most) : std::nullopt;
}

class text_writer {
 public:
  text_writer(const trace& run, std::uint64_t shown) : trace_(run), shown_(shown) {}

  std::string write() {
    write_head();
    std::size_t next = 0;
    for (const std::size_t each : trace_.shown()) {
      if (each >= next) next = write_step(each);
    }
    if (trace_.left_out != 0) {
      add("\n{} further events of lanes were not recorded: a trace holds {}\n", trace_.left_out,
          static_cast<int>(WARPZ_MAX_LANE_EVENTS));
    }
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  void add_wrapped(const std::vector<std::string>& words, std::string_view indent, std::string_view further_indent) {
    add("{}\n", fmt::join(wrapped(words, page_columns, indent, further_indent), "\n"));
  }

  /// A line that may be long, as it lists lanes.
  template <class... Arguments>
  void add_lanes(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    const std::string line = fmt::format(format, std::forward<Arguments>(arguments)...);
    add_wrapped(words_of(line), margin, "       ");
  }

  void write_head() {
    const auto& block = trace_.block;
    const std::string place = trace_.grid[1] == 1 && trace_.grid[2] == 1
                                  ? std::to_string(block[0])
                                  : fmt::format("({}, {}, {})", block[0], block[1], block[2]);
    add("Trace of {}: {}block {}, {} threads, {} lanes in a warp{}\n", trace_.kernel, launch_text(trace_), place,
        trace_.threads, trace_.warp_size, order_text(trace_));
    const std::string steps = steps_text(trace_);
    if (!steps.empty()) add("Shown: {}; {}\n", steps, other_steps_text(trace_));
  }

  /// Returns the number of the first step that is not yet written.
  std::size_t write_step(std::size_t number) {
    const trace_step& step = trace_.steps[number];
    const std::size_t end = end_of_group(trace_, number), first = number + 1;
    const std::string label = first == end ? std::to_string(first) : fmt::format("{}-{}", first, end);
    const bool is_of_block = step.kind == step_kind::barrier && trace_.warps() > 1;
    std::vector<std::string> head{
        fmt::format("{:>3}  {}{}", label, trace_.warps() > 1 && !is_of_block ? fmt::format("warp {}: ", step.warp) : "",
                    step.operation)};
    if (step.line != 0) head.push_back(fmt::format(" {}:{}", step.file, step.line));
    if (step.mask != 0) head.push_back(fmt::format(" mask {:#x}", step.mask));
    if (!end_text(step.end).empty()) head.push_back(fmt::format(" {}", end_text(step.end)));
    text_ += '\n';
    add_wrapped(head, "", "    ");
    write_source(step);
    write_finding(step);
    if (is_of_block) {
      write_block_barrier(number, end);
      return end;
    }
    if (step.end != step_end::completes) {
      const std::uint64_t lanes = step.lanes_in(lane_state::active);
      add_lanes("{} {}", lane_ranges(lanes), lanes_end_text(step.end, std::has_single_bit(lanes)));
    } else if (end - number > 1) {
      write_single_lane(number, end);
    } else if (step.kind == step_kind::collective) {
      write_collective(step);
    } else if (step.kind == step_kind::barrier) {
      add_lanes("{} meet the block's other threads", lane_ranges(step.lanes_in(lane_state::active)));
    } else {
      write_access(step);
    }
    write_absences(step);
    return end;
  }

  void write_source(const trace_step& step) {
    for (const source_file& file : trace_.sources) {
      if (file.name != step.file || step.line == 0 || step.line > file.lines.size()) continue;
      std::string_view code = file.lines[step.line - 1];
      code.remove_prefix(std::min(code.find_first_not_of(" \t"), code.size()));
      add("{}| {}\n", margin, code.substr(0, page_columns - margin.size() - 2));
    }
  }

  void write_finding(const trace_step& step) {
    if (step.finding.empty()) return;
    add_lanes("found here: {}, {}", step.finding, lane_ranges(step.found_lanes));
    constexpr std::size_t most = 4;
    for (std::size_t i = 0; i < std::min(step.races.size(), most); ++i) {
      const racing_element& each = step.races[i];
      add("{}  {}also by {} in step {}\n", margin, step.is_single_value ? "" : fmt::format("[{}] ", each.index),
          thread_text(each.other_thread), each.other_step + 1);
    }
    if (step.races.size() > most) add("{}  and {} more elements\n", margin, step.races.size() - most);
  }

  /// "lane 5", "warp 1, lane 5".
  std::string thread_text(unsigned thread) const {
    const std::string lane = fmt::format("lane {}", thread % trace_.warp_size);
    return trace_.warps() > 1 ? fmt::format("warp {}, {}", thread / trace_.warp_size, lane) : lane;
  }

  /// Warps in which all lanes come are written as one.
  void write_block_barrier(std::size_t number, std::size_t end) {
    std::uint64_t whole = 0;
    for (std::size_t i = number; i < end; ++i) {
      const trace_step& step = trace_.steps[i];
      if (step.lanes_in(lane_state::active) == trace_.present_in(step.warp)) whole |= std::uint64_t{1} << step.warp;
    }
    const std::string_view verb = lanes_end_text(trace_.steps[number].end, false);
    if (whole != 0)
      add_lanes("all lanes of {} {} {}", std::popcount(whole) == 1 ? "warp" : "warps", lane_ranges(whole), verb);
    for (std::size_t i = number; i < end; ++i) {
      const trace_step& step = trace_.steps[i];
      if ((whole >> step.warp & 1) != 0) continue;
      add_lanes("warp {}: {} {}", step.warp, lane_ranges(step.lanes_in(lane_state::active)), verb);
      write_absences(step);
    }
  }

  void write_single_lane(std::size_t number, std::size_t end) {
    std::vector<std::string> words;
    const std::uint64_t lanes = trace_.steps[number].lanes_in(lane_state::active);
    for (std::size_t i = number; i < end; ++i) {
      for_each_lane(lanes, [&](unsigned lane) {
        const trace_step& step = trace_.steps[i];
        words.push_back(fmt::format("{} = {}{}", element_text(step, lanes),
                                    value_text(step.lanes[lane].after, step.type), i + 1 < end ? "," : ""));
      });
    }
    add_lanes("{}:", lane_ranges(lanes));
    add_wrapped(words, "       ", "       ");
  }

  std::vector<std::string> values(const trace_step& step, lane_value lane_part::*which) const {
    std::vector<std::string> texts(step.lanes.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (step.lanes[i].state == lane_state::active) texts[i] = value_text(step.lanes[i].*which, step.type);
    }
    return texts;
  }

  void write_access(const trace_step& step) {
    const std::uint64_t lanes = step.lanes_in(lane_state::active);
    std::vector<row> rows;
    const std::string elements = element_text(step, lanes);
    if (elements.empty()) {
      row at{step.memory.empty() ? "at" : step.memory, std::vector<std::string>(step.lanes.size())};
      for_each_lane(lanes, [&](unsigned lane) { at.values[lane] = fmt::format("[{}]", step.lanes[lane].index); });
      rows.push_back(at);
      add_lanes("{} {} {}", lane_ranges(lanes), verb(step), step.memory.empty() ? "memory" : step.memory);
    } else {
      add_lanes("{} {} {}", lane_ranges(lanes), verb(step), elements);
    }
    if (step.is_change()) rows.push_back({"before", values(step, &lane_part::before)});
    rows.push_back({step.is_change() ? "after" : "value", values(step, &lane_part::after)});
    if (step.kind == step_kind::atomic && std::popcount(lanes) > 1) {
      row turns{"turn", std::vector<std::string>(step.lanes.size())};
      for_each_lane(lanes, [&](unsigned lane) { turns.values[lane] = std::to_string(step.lanes[lane].turn + 1); });
      rows.push_back(turns);
    }
    write_rows(rows, lanes);
    if (step.is_shared) write_writers(step, lanes);
  }

  /// Who has written what is read from shared memory.
  void write_writers(const trace_step& step, std::uint64_t lanes) {
    std::map<std::size_t, std::uint64_t> by_step;
    for_each_lane(lanes, [&](unsigned lane) {
      if (const auto& writer = step.lanes[lane].writer)
        by_step[writer->step] |= std::uint64_t{1} << writer->thread % trace_.warp_size;
    });
    for (const auto& [number, writers] : by_step) {
      const unsigned warp = trace_.steps[number].warp;
      add_lanes("written in step {} by {}{}", number + 1, trace_.warps() > 1 ? fmt::format("warp {}: ", warp) : "",
                lane_ranges(writers));
    }
  }

  static std::string_view verb(const trace_step& step) {
    switch (step.kind) {
      case step_kind::load:
        return "<-";
      case step_kind::store:
        return "->";
      default:
        return "<->";
    }
  }

  void write_collective(const trace_step& step) {
    const std::uint64_t lanes = step.lanes_in(lane_state::active);
    std::vector<row> rows;
    switch (step.movement) {
      case WARPZ_MOVES:
        rows = write_sources(step, lanes);
        break;
      case WARPZ_VOTES:
      case WARPZ_DECIDES:
        write_vote(step, lanes);
        return;
      case WARPZ_MATCHES:
        write_matches(step, lanes);
        return;
      case WARPZ_COMBINES:
        add_lanes("{} <- all of them, combined", lane_ranges(lanes));
        break;
      case WARPZ_MEETS:
        add_lanes("{} meet", lane_ranges(lanes));
        return;
    }
    rows.push_back({"gave", values(step, &lane_part::before)});
    rows.push_back({"got", values(step, &lane_part::after)});
    write_rows(rows, lanes);
    if (!step.join) return;
    const std::uint64_t keep = lanes & ~step.join->lanes;
    add_lanes("{} {} on with {}", lane_ranges(step.join->lanes), std::has_single_bit(step.join->lanes) ? "goes" : "go",
              step.join->expression);
    if (keep != 0)
      add_lanes("{} {} on with what {} gave", lane_ranges(keep), std::has_single_bit(keep) ? "goes" : "go",
                std::has_single_bit(keep) ? "it" : "they");
  }

  /// Returns the row of sources, if it takes one to tell them.
  std::vector<row> write_sources(const trace_step& step, std::uint64_t lanes) {
    std::uint64_t regular = 0, keep = 0;
    std::map<unsigned, std::uint64_t> by_source;
    const bool has_pattern = step.pattern.shape != movement_pattern::kind::none;
    for_each_lane(lanes, [&](unsigned lane) {
      const lane_part& part = step.lanes[lane];
      const bool is_own = part.keeps_own || (!has_pattern && part.source == lane) ||
                          (step.pattern.shape == movement_pattern::kind::from_part && part.source == lane);
      if (is_own) {
        keep |= std::uint64_t{1} << lane;
      } else if (has_pattern && !part.takes_undefined) {
        regular |= std::uint64_t{1} << lane;
      } else if (part.source) {
        by_source[*part.source] |= std::uint64_t{1} << lane;
      }
    });
    if (regular != 0) add_lanes("{} <- {}", lane_ranges(regular), pattern_text(step.pattern, trace_.warp_size));
    while (const auto rule = rule_of_most(step, by_source)) {
      add_lanes("{} <- {}", lane_ranges(rule->lanes), rule->words);
      for (auto& [source, receivers] : by_source) receivers &= ~rule->lanes;
      std::erase_if(by_source, [](const auto& each) { return each.second == 0; });
    }
    // A row says it shorter than so many lines.
    constexpr std::size_t most_lines = 6;
    std::uint64_t any_source = 0;
    if (by_source.size() > most_lines) {
      for (auto& [source, receivers] : by_source) {
        if (step.lanes[source].state == lane_state::active) any_source |= std::exchange(receivers, 0);
      }
      std::erase_if(by_source, [](const auto& each) { return each.second == 0; });
      add_lanes("{} <- the lane in the row \"from\"", lane_ranges(any_source));
    }
    for (const auto& [source, receivers] : by_source) {
      const bool is_undefined = step.lanes[source].state != lane_state::active;
      add_lanes("{} <- lane {}{}", lane_ranges(receivers), source,
                is_undefined ? fmt::format(", which {}: undefined", absence_text(step.lanes[source].state)) : "");
    }
    if (keep != 0) {
      add_lanes("{} {} {} own", lane_ranges(keep), (keep & (keep - 1)) == 0 ? "keeps" : "keep",
                (keep & (keep - 1)) == 0 ? "its" : "their");
    }
    if (any_source == 0) return {};
    row from{"from", std::vector<std::string>(step.lanes.size())};
    for_each_lane(lanes,
                  [&](unsigned lane) { from.values[lane] = std::to_string(step.lanes[lane].source.value_or(lane)); });
    return {from};
  }

  void write_vote(const trace_step& step, std::uint64_t lanes) {
    std::uint64_t yes = 0;
    for_each_lane(lanes, [&](unsigned lane) {
      if (step.lanes[lane].before.bits != 0) yes |= std::uint64_t{1} << lane;
    });
    const std::string who = yes == 0 ? "none" : lane_ranges(yes);
    add("{}yes: {}\n", margin, who.size() + margin.size() + 5 <= page_columns ? who : "the lanes whose bit is 1");
    if (lanes == 0) return;
    std::string bits;
    for (unsigned lane = trace_.warp_size; lane-- > 0;) {
      bits += (lanes >> lane & 1) == 0 ? '.' : (yes >> lane & 1) != 0 ? '1' : '0';
      if (lane % 8 == 0 && lane != 0) bits += ' ';
    }
    // Several lines of the source may ask for the vote's bits: 64 of them take more than a line.
    constexpr std::size_t line_of_bits = 35;
    add("{}bits: {}  (lane {} first)\n", margin,
        bits.substr(0, bits.size() > line_of_bits ? line_of_bits : bits.size()), trace_.warp_size - 1);
    if (bits.size() > line_of_bits) add("{}      {}\n", margin, bits.substr(line_of_bits + 1));
    const std::uint64_t result = step.lanes[static_cast<unsigned>(__builtin_ctzll(lanes))].after.bits;
    if (step.movement == WARPZ_DECIDES) return add_lanes("{} <- {}", lane_ranges(lanes), result);
    add_lanes("{} <- {:#x}", lane_ranges(lanes), result);
  }

  void write_matches(const trace_step& step, std::uint64_t lanes) {
    std::map<std::uint64_t, std::uint64_t> by_result;
    for_each_lane(lanes, [&](unsigned lane) { by_result[step.lanes[lane].after.bits] |= std::uint64_t{1} << lane; });
    if (by_result.size() == 1 && by_result.begin()->first == 0) {
      add_lanes("{} <- no lanes: not all have the same value", lane_ranges(lanes));
      return write_rows({{"gave", values(step, &lane_part::before)}}, lanes);
    }
    add_lanes("{} <- the lanes with the same value", lane_ranges(lanes));
    for (const auto& [result, receivers] : by_result) {
      const unsigned first = static_cast<unsigned>(__builtin_ctzll(receivers));
      const std::string value = value_text(step.lanes[first].before, step.type);
      if (result == receivers) {
        add_lanes("  {}: {}", value, lane_ranges(result));
      } else {
        add_lanes("  {}: {} <- {}", value, lane_ranges(receivers), result == 0 ? "no lanes" : lane_ranges(result));
      }
    }
  }

  /// The lanes that the block has and that are not there.
  void write_absences(const trace_step& step) {
    const bool is_alone = step.kind != step_kind::collective && step.kind != step_kind::barrier;
    for (const lane_state state : {lane_state::inactive, lane_state::returned, lane_state::unnamed}) {
      const std::uint64_t lanes = step.lanes_in(state);
      if (lanes == 0 || (is_alone && state == lane_state::returned)) continue;
      const bool is_one = (lanes & (lanes - 1)) == 0;
      add_lanes("{} {}", lane_ranges(lanes), is_one ? absence_text(state) : absences_text(state));
    }
  }

  static std::string_view absence_text(lane_state state) {
    switch (state) {
      case lane_state::returned:
        return "has returned";
      case lane_state::unnamed:
        return "is not in the mask";
      case lane_state::absent:
        return "the block does not have";
      default:
        return "does not take part";
    }
  }

  static std::string_view absences_text(lane_state state) {
    switch (state) {
      case lane_state::returned:
        return "have returned";
      case lane_state::unnamed:
        return "are not in the mask";
      default:
        return "do not take part";
    }
  }

  /// A table of so many lanes in a line as fit. A row that is the same in all lanes is a line of its own.
  void write_rows(std::vector<row> rows, std::uint64_t lanes) {
    const std::uint64_t listed = lanes & shown_;
    if (listed == 0) return;
    std::size_t names_width = 4;
    for (const row& each : rows) names_width = std::max(names_width, each.label.size());
    std::erase_if(rows, [&](const row& each) {
      const std::string& first = each.values[static_cast<unsigned>(__builtin_ctzll(lanes))];
      bool is_same = true;
      for_each_lane(lanes, [&](unsigned lane) { is_same = is_same && each.values[lane] == first; });
      if (is_same)
        add("{}  {:<{}}  {}{}\n", margin, each.label, names_width, first,
            (lanes & (lanes - 1)) == 0 ? "" : "  in each");
      return is_same;
    });
    if (rows.empty()) return;
    std::size_t width = 2;
    for (const row& each : rows) {
      for_each_lane(listed, [&](unsigned lane) { width = std::max(width, each.values[lane].size()); });
    }
    const std::size_t room = page_columns - margin.size() - 2 - names_width - 1;
    std::size_t in_line = 16;
    while (in_line > 1 && in_line * (width + 1) > room) in_line /= 2;
    for (unsigned first = 0; first < trace_.warp_size; first += static_cast<unsigned>(in_line)) {
      const std::uint64_t some = (in_line == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << in_line) - 1) << first;
      if ((listed & some) == 0) continue;
      std::string line = fmt::format("{}  {:<{}} ", margin, "lane", names_width);
      for_each_lane(listed & some, [&](unsigned lane) { line += fmt::format(" {:>{}}", lane, width); });
      text_ += line + "\n";
      for (const row& each : rows) {
        line = fmt::format("{}  {:<{}} ", margin, each.label, names_width);
        for_each_lane(listed & some, [&](unsigned lane) { line += fmt::format(" {:>{}}", each.values[lane], width); });
        text_ += line + "\n";
      }
    }
  }

  const trace& trace_;
  const std::uint64_t shown_;
  std::string text_;
};

}  // namespace

std::string trace_text(const trace& run, std::uint64_t shown) { return text_writer(run, shown).write(); }

}  // namespace warpz
