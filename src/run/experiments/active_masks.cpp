// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/active_masks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "abi/settings.h"
#include "abi/text.h"
#include "source/tokens.hpp"
#include "system/file_content.hpp"

namespace warpz {
namespace {

constexpr std::uint64_t tried_seeds[] = {1, 2, 3};

constexpr const char* rule =
    "the result changes with the lanes that are active together, which only AMD's rules promise";

struct asking_lines {
  std::vector<related_line> lines;
  bool has_atomics = false;  ///< other ones than those of is_sum()
};

/// Whether the atomic is a statement of its own, and one that gives the same in any order.
bool is_sum(const std::vector<token>& tokens, std::size_t number) {
  constexpr std::string_view names[] = {"atomicAdd", "atomicSub", "atomicMin", "atomicMax",
                                        "atomicAnd", "atomicOr",  "atomicXor"};
  const std::string_view name = tokens[number].text;
  if (std::find(std::begin(names), std::end(names), name) == std::end(names) || number == 0) return false;
  const token& before = tokens[number - 1];
  if (!before.is(")")) return before.is(";") || before.is("{") || before.is("}") || before.is("else");
  const std::size_t open = opening_bracket(tokens, number - 1);
  return open != 0 && (tokens[open - 1].is("if") || tokens[open - 1].is("for"));
}

asking_lines asking_lines_of(std::span<const std::string> files) {
  asking_lines found;
  for (const std::string& file : files) {
    const std::string text = os::content_of(file).value_or("");
    const std::vector<token> tokens = tokens_of(text);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const token& each = tokens[i];
      if (each.is("__activemask") || each.is("coalesced_threads"))
        found.lines.push_back({std::string(active_lanes_event), file, each.line});
      const bool is_atomic = each.kind == token_kind::word && each.text.starts_with("atomic");
      found.has_atomics = found.has_atomics || (is_atomic && !is_sum(tokens, i));
    }
  }
  return found;
}

bool is_schedule_dependence(const symbolized_finding& each) { return each.record.kind == WARPZ_SCHEDULE_DEPENDENCE; }

}  // namespace

void attribute_to_active_lanes(replay& code, std::span<const std::string> files,
                               std::vector<symbolized_finding>& found) {
  const asking_lines asking = asking_lines_of(files);
  if (asking.lines.empty() || !code.possible() || std::none_of(found.begin(), found.end(), is_schedule_dependence))
    return;
  variation ascending;
  ascending.name = "in ascending order";
  code.run(ascending);
  code.set_baseline();
  for (symbolized_finding& each : found) {
    if (!is_schedule_dependence(each)) continue;
    variation together;
    together.perturbation.schedule = each.schedule;
    together.name = fmt::format("in order {}", each.schedule);
    together.rules = WARPZ_RULES_AMD;
    if (code.run(together).stopped || code.has_other_result()) continue;
    warpz_copy_beginning(each.record.message, sizeof each.record.message, rule);
    each.related = asking.lines;
  }
}

void explore_active_masks(replay& code, const run_record& first, std::span<const std::string> files,
                          std::vector<symbolized_finding>& found) {
  asking_lines asking = asking_lines_of(files);
  if (asking.lines.empty() || asking.has_atomics || first.stopped || first.has_diverged) return;
  if (!code.possible() || std::any_of(found.begin(), found.end(), is_schedule_dependence)) return;
  variation ascending;
  ascending.name = "in ascending order";
  code.run(ascending);
  std::vector<variation> orders;
  for (const std::uint64_t seed : tried_seeds) {
    variation& together = orders.emplace_back();
    together.perturbation.schedule = seed;
    together.name = fmt::format("in order {}", seed);
    // By AMD's rules all lanes that may be together are: a result that differs then depends on the order itself.
    together.rules = WARPZ_RULES_AMD;
    orders.push_back(together);
    orders.back().rules.reset();
  }
  code.expect(orders);
  code.set_baseline();
  for (std::size_t i = 0; i < orders.size(); i += 2) {
    const variation &together = orders[i], &order = orders[i + 1];
    if (code.run(together).stopped || code.has_other_result()) continue;
    if (code.run(order).stopped || !code.has_other_result()) continue;
    symbolized_finding finding{{}, 0, order.perturbation.schedule, 0};
    finding.record.kind = WARPZ_SCHEDULE_DEPENDENCE;
    warpz_copy_beginning(finding.record.message, sizeof finding.record.message, rule);
    if (!code.confirm(order, finding)) continue;
    finding.related = std::move(asking.lines);
    found.push_back(std::move(finding));
    return;
  }
}

}  // namespace warpz
