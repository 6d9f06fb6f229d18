// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/fence_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "findings/lane_groups.hpp"

namespace warpz {
namespace {

bool is_shuffle(const token& each) {
  return each.text.starts_with("__shfl") || each.text.starts_with("shfl") || each.text.starts_with("shuffle");
}

/// How the tokens in front of a read order it behind an atomic.
struct order_of_read {
  bool is_passed_on = false;         ///< a lane passes to the others what its atomic has given it
  std::optional<std::size_t> fence;  ///< the token of the fence in front of the read
};

order_of_read order_before(const std::vector<token>& all, std::size_t begin, std::size_t read) {
  order_of_read found;
  for (std::size_t i = begin; i < read; ++i) {
    if (is_atomic(all[i])) found = {};
    if (is_shuffle(all[i])) found = {true, {}};
    if (is_fence(all[i])) found.fence = i;
  }
  return found;
}

}  // namespace

bool is_atomic(const token& each) {
  return each.text.starts_with("atomic") || each.text.starts_with("__hip_atomic") || each.text.starts_with("__atomic");
}

bool is_fence(const token& each) { return each.is("__threadfence"); }

std::optional<source_repair> fence_repair(const symbolized_finding& race, const source_outline& outline,
                                          source_statement code, std::string_view barrier) {
  const auto groups = groups_of(race.record);
  const std::size_t writer = groups[0].state == WARPZ_LANE_WROTE ? 0 : 1;
  if (groups[writer].state != WARPZ_LANE_WROTE || groups[1 - writer].state != WARPZ_LANE_READ) return {};
  const std::vector<token>& all = outline.tokens();
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(code.first);
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(code.last);
  const auto handing_over =
      std::find_if(begin, end, [](const token& each) { return is_atomic(each) || each.is("while"); });
  const auto written = outline.statement_around(race.places[writer].line, race.places[writer].column);
  const auto read = outline.statement_around(race.places[1 - writer].line, race.places[1 - writer].column);
  if (handing_over == end || !written || !read || *written == *read) return {};
  const unsigned behind = outline.line_of(written->last), before = outline.line_of(read->first);
  source_repair repair{race.places.front().file, {}, ""};
  const auto put = [&](unsigned line, std::string_view text, unsigned like) {
    repair.edits.push_back({line, false, fmt::format("{}{}", outline.indent_of(like), text)});
  };
  // A barrier orders the two, which is enough on most GPUs.
  const bool has_barrier = race.record.pattern == WARPZ_RACE_NO_FENCE;
  const order_of_read order = has_barrier ? order_of_read{} : order_before(all, code.first, read->first);
  const bool has_fence = has_barrier || std::any_of(begin, handing_over, is_fence);
  const unsigned line = (order.is_passed_on && order.fence ? outline.line_of(*order.fence) : before) - 1;
  if (!has_fence) put(behind, "__threadfence();", outline.line_of(written->first));
  if (order.is_passed_on) put(line, fmt::format("{};", barrier), line + 1);
  if (!order.is_passed_on || !order.fence) put(line, "__threadfence();", line + 1);
  if (order.is_passed_on) {
    repair.advice = fmt::format(
        "A shuffle passes on what an atomic has given a lane, and orders no memory. Put\n  {}{} behind line {}{}.",
        barrier, order.fence ? "" : " and __threadfence()", line,
        has_fence ? "" : fmt::format(", and __threadfence() behind line {}", behind));
  } else if (has_fence) {
    repair.advice = fmt::format(
        "Put __threadfence() before the read, behind line {}: the counterpart of the other block's fence.{}", line,
        has_barrier ? "\n  Published kernels leave it out, and some have failed on AMD's GPUs." : "");
  } else {
    repair.advice = fmt::format(
        "Blocks run in any order, and an atomic orders only itself. Put __threadfence() behind the write,\n"
        "  behind line {}, and before the read, behind line {}.",
        behind, line);
  }
  return repair;
}

}  // namespace warpz
