// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/early_exit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace warpz {
namespace {

/// `__syncthreads();`, alone.
bool is_barrier_alone(const source_outline& outline, const source_statement& statement) {
  const std::vector<token>& all = outline.tokens();
  return statement.last >= statement.first + 3 && is_block_barrier(all[statement.last - 3]) &&
         all[statement.last - 2].is("(") && all[statement.last - 1].is(")");
}

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

/// The branches behind an exit, as edits.
class exit_branches {
 public:
  exit_branches(const source_outline& outline, const early_exit& exit) : outline_(outline), exit_(exit) {}

  std::optional<source_repair> find(std::size_t barrier) {
    const unsigned line = outline_.line_of(exit_.statement.first);
    std::vector<source_scope> scopes = outline_.around(exit_.statement.first);
    while (!scopes.empty() && scopes.back().open != exit_.scope.open) scopes.pop_back();
    const bool is_in_loop = exit_.is_return && exit_.scope.kind == scope_kind::loop;
    std::vector<source_statement> behind = {exit_.statement};
    // A return leaves the scopes around, too.
    for (std::size_t i = scopes.size(); i-- > 0;) {
      if (scopes[i].kind != scope_kind::function && scopes[i].kind != scope_kind::loop) return {};
      if (!wrap(scopes[i], behind.back())) return {};
      if (!exit_.is_return) break;
      if (i == 0) break;
      const auto around = outline_.statement_at(scopes[i - 1], scopes[i].open);
      if (!around) return {};
      behind.push_back(*around);
    }
    const std::string stays = condition_to_stay(outline_, exit_);
    const std::string_view indent = outline_.indent_of(line);
    if (is_in_loop) {
      const unsigned head = outline_.line_of(behind.back().first);
      if (head < 2) return {};
      edits_.push_back({head - 1, false, fmt::format("{}bool stays = true;", outline_.indent_of(head))});
    }
    std::string flag = is_in_loop ? fmt::format("{}stays = stays && {};", indent, stays)
                                  : fmt::format("{}const bool stays = {};", indent, stays);
    if (opens_at_exit_) flag += fmt::format("\n{}if (stays) {{", indent);
    edits_.push_back({line, true, std::move(flag)});
    std::sort(edits_.begin(), edits_.end(), [](const line_edit& one, const line_edit& other) {
      return std::pair(one.line, !one.replaces) < std::pair(other.line, !other.replaces);
    });
    return source_repair{"", edits_,
                         fmt::format("Every thread of the block has to reach the barrier of line {}: do not leave in "
                                     "line {}, and\n  put a branch around what follows, but for the barriers.",
                                     outline_.line_of(barrier), line)};
  }

 private:
  /// Puts what stands behind the statement in the scope into branches, but for its barriers.
  bool wrap(const source_scope& scope, const source_statement& before) {
    std::vector<source_statement> rest = outline_.statements_in(scope);
    std::erase_if(rest, [&](const source_statement& each) { return each.first <= before.last; });
    const bool is_behind_exit = before == exit_.statement;
    unsigned previous = outline_.line_of(before.last);
    bool is_open = false;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const source_statement& each = rest[i];
      const unsigned first = outline_.line_of(each.first);
      if (first == previous) return false;
      if (is_barrier_alone(outline_, each)) {
        if (is_open) edits_.push_back({previous, false, fmt::format("{}}}", outline_.indent_of(first))});
        is_open = false;
      } else {
        if (outline_.has_word(each, block_barrier_words) || declares_for(each, scope)) return false;
        if (!is_open && i == 0 && is_behind_exit) {
          opens_at_exit_ = true;
        } else if (!is_open) {
          edits_.push_back({previous, false, fmt::format("{}if (stays) {{", outline_.indent_of(first))});
        }
        is_open = true;
      }
      previous = outline_.line_of(each.last);
    }
    if (outline_.line_of(scope.close) == previous) return false;
    if (is_open) edits_.push_back({previous, false, fmt::format("{}}}", outline_.indent_of(previous))});
    return true;
  }

  /// Whether the statement declares what stands behind it, where it is not known in its branch alone.
  bool declares_for(const source_statement& statement, const source_scope& scope) const {
    const std::vector<token>& all = outline_.tokens();
    for (std::size_t i = statement.first; i < statement.last; ++i) {
      if (all[i].is("(") || all[i].is("{") || all[i].is("=")) return false;
      if (all[i].kind != token_kind::word || all[i + 1].kind != token_kind::word) continue;
      if (i + 2 > statement.last || all[i + 2].kind == token_kind::word) continue;
      bool is_behind_barrier = false;
      for (std::size_t k = statement.last; k < scope.close; ++k) {
        is_behind_barrier = is_behind_barrier || is_block_barrier(all[k]);
        if (is_behind_barrier && all[k].is(all[i + 1].text)) return true;
      }
    }
    return false;
  }

  const source_outline& outline_;
  const early_exit& exit_;
  std::vector<line_edit> edits_;
  bool opens_at_exit_ = false;
};

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

std::optional<source_repair> branches_for_exit(const source_outline& outline, std::size_t barrier) {
  const std::optional<early_exit> exit = early_exit_before(outline, barrier);
  const std::vector<token>& all = outline.tokens();
  const bool is_taken = std::any_of(all.begin(), all.end(), [](const token& each) { return each.is("stays"); });
  // Who has left before is not there anyway.
  if (!exit || is_taken || early_exit_before(outline, exit->statement.first)) return {};
  return exit_branches(outline, *exit).find(barrier);
}

}  // namespace warpz
