// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <span>
#include <utility>

#include "findings/kinds.hpp"
#include "report/finding_words.hpp"
#include "report/memory_words.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

std::string capitalised(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

/// Advice is broken into lines for a terminal.
std::string as_one_line(std::string_view text) {
  std::string line;
  for (const char each : text) {
    if (each == '\n') line += ' ';
    if (each != '\n' && (each != ' ' || line.empty() || line.back() != ' ')) line += each;
  }
  return line;
}

bool is_of_one_warp(std::span<const warpz_lane_group> groups) {
  return std::all_of(groups.begin(), groups.end(), [&](const warpz_lane_group& each) {
    return each.warp == groups.front().warp && std::equal(each.block, each.block + 3, groups.front().block);
  });
}

std::string count_of(std::size_t lanes) { return fmt::format("{} lanes", lanes); }

/// How many lanes are in a state, and who it is where it is one of one warp: "lane 0 left", "12 lanes left".
std::string state_phrase(std::span<const warpz_lane_group> groups, warpz_lane_state state, std::string_view one,
                         std::string_view many) {
  std::size_t count = 0;
  std::string name;
  for (const warpz_lane_group& each : groups) {
    if (each.state != state || each.lanes == 0) continue;
    count += static_cast<std::size_t>(std::popcount(each.lanes));
    name = lanes_text(each.lanes);
  }
  if (count == 0) return {};
  if (count > 1) return fmt::format("{} {}", count_of(count), many);
  return fmt::format("{} {}", is_of_one_warp(groups) ? name : "a lane", one);
}

/// Lanes, and a verb for one of them or several: "lane 1 calls", "lanes 0-3 call".
std::string doing(const warpz_lane_group& group, std::string_view verb) {
  return fmt::format("{} {}{}", lanes_text(group.lanes), verb, std::has_single_bit(group.lanes) ? "s" : "");
}

std::string operation_of(const warpz_lane_group& group) {
  const std::string name = printable(bounded(group.place.operation));
  return name.empty() ? "an operation" : name;
}

/// "Lane 0 left; 31 lanes wait forever", "lanes 0-7 wait in a at line 3; lanes 8-31 wait in b at line 5".
std::string waiting_headline(const warpz_finding& record) {
  const auto groups = groups_of(record);
  std::string text;
  const auto add = [&](const std::string& phrase) {
    if (!phrase.empty()) text += (text.empty() ? "" : "; ") + phrase;
  };
  add(state_phrase(groups, WARPZ_LANE_EXITED, "left", "left"));
  add(state_phrase(groups, WARPZ_LANE_ABSENT, "does not exist", "do not exist"));
  add(state_phrase(groups, WARPZ_LANE_RUNNING, "runs on", "run on"));
  const auto waits = [](const warpz_lane_group& each) { return each.state == WARPZ_LANE_WAITING && each.lanes != 0; };
  const auto waiting = std::count_if(groups.begin(), groups.end(), waits);
  if (!text.empty() || waiting != 2) {
    if (record.severity == WARPZ_WARNING) {
      add(state_phrase(groups, WARPZ_LANE_WAITING, "goes on without the others", "go on without them"));
    } else {
      add(state_phrase(groups, WARPZ_LANE_WAITING, "waits forever", "wait forever"));
    }
    return text;
  }
  for (const warpz_lane_group& each : groups) {
    if (!waits(each)) continue;
    add(fmt::format("{} in {}{}", doing(each, "wait"), operation_of(each),
                    each.place.line == 0 ? "" : fmt::format(" at line {}", each.place.line)));
  }
  return text;
}

std::string_view access_verb(const warpz_lane_group& group) {
  return group.state == WARPZ_LANE_WROTE ? "writes" : group.state == WARPZ_LANE_ATOMIC ? "changes" : "reads";
}

/// "tile[1]"; "memory" where it has no name.
std::string element_name(const symbolized_finding& finding) {
  if (!finding.memory || finding.memory->name.empty()) return "memory";
  return element_text(*finding.memory);
}

/// "Lane 0 reads tile[1] and lane 1 writes it, in no order".
std::string race_headline(const symbolized_finding& finding, std::span<const warpz_lane_group> groups) {
  const auto who = [&](const warpz_lane_group& group) {
    if (is_of_one_warp(groups)) return lanes_text(group.lanes);
    const bool is_of_one_block = std::equal(group.block, group.block + 3, groups[&group == &groups[0] ? 1 : 0].block);
    return is_of_one_block ? fmt::format("{} of warp {}", lanes_text(group.lanes), group.warp)
                           : fmt::format("{} of block {}", lanes_text(group.lanes), block_text(group.block));
  };
  return fmt::format("{} {} {} and {} {} it, in no order", who(groups[0]), access_verb(groups[0]),
                     element_name(finding), who(groups[1]), access_verb(groups[1]));
}

/// "Lane 3 reads input[32]: input has 32 elements".
std::string access_headline(const symbolized_finding& finding, const warpz_lane_group& group) {
  std::string text = fmt::format("{} {} {}", lanes_text(group.lanes), access_verb(group), element_name(finding));
  if (finding.record.kind != WARPZ_OUT_OF_BOUNDS || !finding.memory || finding.memory->name.empty()) return text;
  return text + ": " + extent_text(*finding.memory);
}

std::string headline_of(const symbolized_finding& finding) {
  const warpz_finding& record = finding.record;
  const auto groups = groups_of(record);
  const std::string noun(kind_of(record.kind).noun);
  if (groups.empty()) return noun;
  const auto is_access = [](const warpz_lane_group& each) {
    return each.state == WARPZ_LANE_READ || each.state == WARPZ_LANE_WROTE || each.state == WARPZ_LANE_ATOMIC;
  };
  if (record.kind == WARPZ_DIVERGED_COLLECTIVE || record.kind == WARPZ_DIVERGED_BARRIER) {
    if (std::string text = waiting_headline(record); !text.empty()) return text;
  }
  if (record.kind == WARPZ_DATA_RACE && groups.size() == 2 && std::all_of(groups.begin(), groups.end(), is_access))
    return race_headline(finding, groups);
  const warpz_lane_group& first = groups.front();
  switch (record.kind) {
    case WARPZ_WRONG_MASK:
      return fmt::format("{} {} with a mask that names {}", doing(first, "call"), operation_of(first),
                         lanes_text(first.place.mask));
    case WARPZ_NO_PROGRESS:
      return fmt::format("the kernel did not end: {}", group_text(first, false));
    case WARPZ_UNDEFINED_LANE_VALUE:
      if (first.state == WARPZ_LANE_TOOK)
        return fmt::format("{} an undefined value in {}", doing(first, "get"), operation_of(first));
      if (is_access(first))
        return fmt::format("{}, which depends on an undefined value", access_headline(finding, first));
      break;
    default:
      break;
  }
  if (is_access(first)) return fmt::format("{}: {}", noun, access_headline(finding, first));
  return fmt::format("{}: {}", noun, group_text(first, false));
}

/// "warp 1: ", and nothing where all groups are of one warp.
std::string place_among(std::span<const warpz_lane_group> groups, const warpz_lane_group& one) {
  const auto is_of_block = [&](const warpz_lane_group& each) { return std::ranges::equal(each.block, one.block); };
  const auto is_of_warp = [&](const warpz_lane_group& each) { return each.warp == one.warp; };
  if (!std::ranges::all_of(groups, is_of_block))
    return fmt::format("block {}, warp {}: ", block_text(one.block), one.warp);
  return std::ranges::all_of(groups, is_of_warp) ? "" : fmt::format("warp {}: ", one.warp);
}

}  // namespace

explanation explanation_of(const symbolized_finding& finding) {
  explanation words{capitalised(headline_of(finding)), rule_text(finding), as_one_line(fix_text(finding)), {}};
  const auto groups = groups_of(finding.record);
  for (const warpz_lane_group& each : groups) {
    const bool came_before = finding.record.kind == WARPZ_DATA_RACE && !words.parties.empty();
    words.parties.push_back({place_among(groups, each) + group_text(each, came_before), {}});
  }
  return words;
}

}  // namespace warpz
