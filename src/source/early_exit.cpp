// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/early_exit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace warpz {
namespace {

/// The condition's first and last token, of `if (C) return;`, `if (C) { return; }` and the same with `continue`.
std::optional<source_statement> condition_of(const source_outline& outline, const source_statement& statement) {
  const std::vector<token>& all = outline.tokens();
  if (!all[statement.first].is("if") || !all[statement.first + 1].is("(")) return {};
  std::size_t end = statement.last;
  if (all[end].is("}")) --end;
  if (!all[end].is(";") || end < statement.first + 5) return {};
  const bool leaves = all[end - 1].is("return") || all[end - 1].is("continue");
  std::size_t close = end - 2;
  if (all[close].is("{")) --close;
  if (!leaves || !all[close].is(")") || outline.has_word(statement, {"else"})) return {};
  return source_statement{statement.first + 2, close - 1};
}

bool is_in_one_line(const source_outline& outline, const source_statement& statement) {
  return outline.line_of(statement.first) == outline.line_of(statement.last);
}

}  // namespace

std::optional<early_exit> early_exit_before(const source_outline& outline, std::size_t number) {
  std::vector<source_scope> scopes = outline.around(number);
  for (; !scopes.empty(); scopes.pop_back()) {
    const std::vector<source_statement> statements = outline.statements_in(scopes.back());
    for (auto each = statements.rbegin(); each != statements.rend(); ++each) {
      if (each->last >= number || !is_in_one_line(outline, *each) || !condition_of(outline, *each)) continue;
      const bool is_return = outline.has_word(*each, {"return"});
      if (is_return || scopes.back().kind == scope_kind::loop) return early_exit{*each, scopes.back(), is_return};
    }
  }
  return {};
}

std::string condition_to_stay(const source_outline& outline, const early_exit& exit) {
  const source_statement condition = *condition_of(outline, exit.statement);
  const std::vector<token>& all = outline.tokens();
  const bool is_negation = all[condition.first].is("!") && condition.last == condition.first + 1;
  return is_negation ? std::string(outline.text(condition.last, condition.last))
                     : fmt::format("!({})", outline.text(condition.first, condition.last));
}

}  // namespace warpz
