// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/source_switch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace warpz {
namespace {

/// The labels that stand in the braces themselves, and the closing brace.
std::vector<std::size_t> labels_between(const std::vector<token>& all, std::size_t open, std::size_t close) {
  std::vector<std::size_t> found;
  int depth = 0;
  for (std::size_t i = open + 1; i < close; ++i) {
    if (all[i].is("{")) ++depth;
    if (all[i].is("}")) --depth;
    if (depth == 0 && (all[i].is("case") || all[i].is("default"))) found.push_back(i);
  }
  found.push_back(close);
  return found;
}

std::size_t closing_brace(const std::vector<token>& all, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < all.size(); ++i) {
    if (all[i].is("{")) ++depth;
    if (all[i].is("}") && --depth == 0) return i;
  }
  return 0;
}

/// What leaves a case, behind or at the end of its braces.
std::optional<source_statement> leave_at_end(const std::vector<token>& all, std::size_t begin, std::size_t end) {
  std::size_t last = end - 1;
  if (last > begin && all[last].is("}")) --last;
  if (last <= begin || !all[last].is(";") || !all[last - 1].is("break")) return {};
  return source_statement{last - 1, last};
}

}  // namespace

std::string source_switch::condition_of(const source_outline& outline, const source_case& taken,
                                        const std::string& chosen) const {
  std::string text;
  for (const source_case& each : cases) {
    if (taken.is_default ? each.is_default : &each != &taken) continue;
    for (const source_statement& label : each.labels)
      text +=
          fmt::format("{}{} == {}", text.empty() ? "" : " || ", chosen, outline.text(label.first + 1, label.last - 1));
  }
  if (text.empty()) return "true";
  return fmt::format("{}({})", taken.is_default ? "!" : "", text);
}

std::optional<source_switch> switch_in(const source_outline& outline, const source_statement& statement) {
  const std::vector<token>& all = outline.tokens();
  const std::size_t close = closing_bracket(all, statement.first + 1);
  if (close + 1 >= statement.last || !all[close + 1].is("{") || !all[statement.last].is("}")) return {};
  source_switch found{{statement.first, close}, {statement.first + 2, close - 1}, {}};
  const std::vector<std::size_t> labels = labels_between(all, close + 1, statement.last);
  if (labels.front() != close + 2) return {};
  source_case open;
  for (std::size_t i = 0; i + 1 < labels.size(); ++i) {
    std::size_t colon = labels[i] + 1;
    while (colon < labels[i + 1] && !all[colon].is(":")) ++colon;
    if (colon == labels[i + 1]) return {};
    open.labels.push_back({labels[i], colon});
    open.is_default = open.is_default || all[labels[i]].is("default");
    // Another label of the same case.
    if (colon + 1 == labels[i + 1] && i + 2 < labels.size()) continue;
    open.leave = leave_at_end(all, colon, labels[i + 1]);
    if (!open.leave && i + 2 < labels.size()) return {};
    const std::size_t end = open.leave ? open.leave->first : labels[i + 1];
    const bool is_behind = !open.leave || open.leave->last + 1 == labels[i + 1];
    const std::size_t brace = all[colon + 1].is("{") ? closing_brace(all, colon + 1) : 0;
    if (brace != 0 && brace + 1 == (is_behind ? end : labels[i + 1])) {
      open.body = {colon + 1, is_behind ? brace : end};
    } else if (is_behind) {
      open.body = {colon, end};
    } else {
      return {};
    }
    found.cases.push_back(open);
    open = {};
  }
  // `default` beside another label means what that label says not.
  const bool is_mixed = std::any_of(found.cases.begin(), found.cases.end(),
                                    [](const source_case& each) { return each.is_default && each.labels.size() > 1; });
  return is_mixed ? std::nullopt : std::optional(found);
}

}  // namespace warpz
