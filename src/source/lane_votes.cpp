// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/lane_votes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "source/early_exit.hpp"

namespace warpz {
namespace {

class vote_search {
 public:
  vote_search(const source_outline& outline, const vote_words& words, std::vector<std::string>& names)
      : outline_(outline), all_(outline.tokens()), words_(words), names_(names), found_{words.everyone, {}, ""} {}

  std::optional<lane_votes> find(std::size_t number) {
    const std::vector<source_scope> scopes = outline_.around(number);
    if (scopes.empty() || !all_lanes_begin(scopes.front()) || !pass_exit(scopes.front(), number)) return {};
    for (std::size_t i = 1; i < scopes.size(); ++i) {
      const std::optional<source_statement> whole = outline_.statement_at(scopes[i - 1], scopes[i].open);
      // A block in braces alone asks nothing.
      if (!whole || (whole->first != scopes[i].open && !enter(scopes[i], *whole))) return {};
    }
    const std::optional<source_statement> statement = outline_.statement_at(scopes.back(), number);
    if (!statement || !enter_statement(*statement, number)) return {};
    if (found_.lanes == words_.everyone) found_.lanes = vote_of(words_.everyone, "true");
    return std::move(found_);
  }

 private:
  bool all_lanes_begin(const source_scope& function) const {
    if (function.is_kernel) return true;
    std::optional<std::size_t> call;
    for (std::size_t i = 0; i + 1 < all_.size(); ++i) {
      if (!all_[i].is(all_[function.header].text) || !all_[i + 1].is("(")) continue;
      const std::vector<source_scope> around = outline_.around(i);
      if (around.empty()) continue;
      if (call || around.front().open == function.open) return false;
      call = i;
    }
    const std::optional<lane_votes> caller = call ? vote_search(outline_, words_, names_).find(*call) : std::nullopt;
    return caller && caller->edits.empty();
  }

  /// The lanes that have not returned.
  bool pass_exit(const source_scope& function, std::size_t number) {
    const std::optional<early_exit> exit = early_exit_before(outline_, number);
    const auto returns = std::count_if(at(function.open), at(number),
                                       [](const token& each) { return each.is("return") || each.is("goto"); });
    if (!exit) return returns == 0;
    if (returns != 1 || !exit->is_return || exit->scope.open != function.open) return false;
    return vote_before(exit->statement.first, "staying", condition_to_stay(outline_, *exit));
  }

  bool enter(const source_scope& scope, const source_statement& whole) {
    if (whole.first != scope.header) return false;
    if (scope.kind == scope_kind::loop) return enter_loop(scope);
    const std::optional<std::string_view> condition =
        scope.kind == scope_kind::branch ? outline_.condition_of(scope) : std::nullopt;
    return condition && vote_before(scope.header, "in_branch", *condition);
  }

  bool enter_loop(const source_scope& loop) {
    if (outline_.has_word({loop.open, loop.close}, {"break", "continue", "return", "goto"})) return false;
    if (all_[loop.header].is("for") && counts_alike(outline_, loop.header + 1)) return true;
    const std::optional<source_statement> condition = condition_of(loop);
    const unsigned head = outline_.line_of(loop.header);
    if (!condition || !is_repeatable(*condition) || !begins_line(loop.header)) return false;
    const unsigned line = outline_.line_of(condition->first);
    if (outline_.line_of(condition->last) != line) return false;
    const std::string name = unused_name("in_loop");
    const std::string_view asked = outline_.text(condition->first, condition->last);
    const std::string first = found_.lanes == words_.everyone ? vote_of(found_.lanes, "true") : found_.lanes;
    found_.edits.push_back({head - 1, false, fmt::format("{}auto {} = {};", outline_.indent_of(head), name, first)});
    found_.edits.push_back({line, true,
                            outline_.replaced(condition->first, condition->last,
                                              fmt::format("{0} = {1}, {2}", name, vote_of(name, asked), asked))});
    vote_at(fmt::format("in the loop of line {}", head), name);
    return true;
  }

  /// What the loop asks before each round, or behind it.
  std::optional<source_statement> condition_of(const source_scope& loop) const {
    const std::size_t open = all_[loop.header].is("do") ? loop.close + 2 : loop.header + 1;
    if (open >= all_.size() || !all_[open].is("(")) return {};
    const std::size_t close = closing_bracket(all_, open);
    if (close >= all_.size()) return {};
    if (!all_[loop.header].is("for")) return source_statement{open + 1, close - 1};
    const auto begin = std::find_if(at(open), at(close), [](const token& each) { return each.is(";"); });
    if (begin == at(close)) return {};
    const auto end = std::find_if(begin + 1, at(close), [](const token& each) { return each.is(";"); });
    if (end == at(close) || end == begin + 1) return {};
    return source_statement{static_cast<std::size_t>(begin - all_.begin()) + 1,
                            static_cast<std::size_t>(end - all_.begin()) - 1};
  }

  /// It may be computed twice: it calls nothing and changes nothing.
  bool is_repeatable(const source_statement& condition) const {
    for (std::size_t i = condition.first; i <= condition.last; ++i) {
      const std::string_view text = all_[i].text;
      if (text == "++" || text == "--" || (text.ends_with('=') && text.size() != 2) || text == "," || text == ";")
        return false;
      if (text.size() == 2 && text[1] == '=' && std::string_view("=!<>").find(text[0]) == std::string_view::npos)
        return false;
      if (text == "(" && all_[i - 1].kind == token_kind::word && i != condition.first) return false;
    }
    return condition.first <= condition.last;
  }

  /// A statement that has no braces of its own.
  bool enter_statement(const source_statement& statement, std::size_t number) {
    if (statement.first == number) return true;
    source_statement inner = statement;
    while (all_[inner.first + 1].is("(")) {
      const std::size_t open = inner.first + 1, close = closing_bracket(all_, open);
      if (close >= number) break;
      if (all_[inner.first].is("if")) {
        const source_statement condition{open + 1, close - 1};
        if (outline_.has_word(condition, {";", "="})) return false;
        if (!vote_before(inner.first, "in_branch", outline_.text(condition.first, condition.last))) return false;
      } else if (!all_[inner.first].is("for") || !counts_alike(outline_, open)) {
        break;
      }
      inner.first = close + 1;
    }
    return !outline_.has_word(inner, {"if", "else", "for", "while", "switch", "?", "&&", "||"});
  }

  bool begins_line(std::size_t number) const {
    return outline_.line_of(number) > 1 && number != 0 && outline_.line_of(number - 1) < outline_.line_of(number);
  }

  bool vote_before(std::size_t number, std::string_view base, std::string_view condition) {
    const unsigned line = outline_.line_of(number);
    if (!begins_line(number)) return false;
    const std::string name = unused_name(base);
    found_.edits.push_back(
        {line - 1, false,
         fmt::format("{}const auto {} = {};", outline_.indent_of(line), name, vote_of(found_.lanes, condition))});
    vote_at(fmt::format("in front of line {}", line), name);
    return true;
  }

  void vote_at(const std::string& place, const std::string& name) {
    found_.places += (found_.places.empty() ? "" : ", ") + place;
    found_.lanes = name;
    names_.push_back(name);
  }

  std::string vote_of(std::string_view lanes, std::string_view condition) const {
    return fmt::format("{}({}, {})", words_.vote, lanes, condition);
  }

  std::string unused_name(std::string_view base) const {
    std::string name(base);
    const auto is_used = [&] {
      return std::any_of(all_.begin(), all_.end(), [&](const token& each) { return each.is(name); }) ||
             std::find(names_.begin(), names_.end(), name) != names_.end();
    };
    for (unsigned number = 2; is_used(); ++number) name = fmt::format("{}_{}", base, number);
    return name;
  }

  std::vector<token>::const_iterator at(std::size_t number) const {
    return all_.begin() + static_cast<std::ptrdiff_t>(number);
  }

  const source_outline& outline_;
  const std::vector<token>& all_;
  const vote_words& words_;
  std::vector<std::string>& names_;
  lane_votes found_;
};

}  // namespace

std::string_view mask_of_all_lanes(bool is_cuda) { return is_cuda ? "0xffffffff" : "~0ull"; }

vote_words words_for_masks(bool is_cuda) { return {"__ballot_sync", std::string(mask_of_all_lanes(is_cuda))}; }

std::optional<lane_votes> votes_before(const source_outline& outline, std::size_t number, const vote_words& words,
                                       std::vector<std::string>& names) {
  return vote_search(outline, words, names).find(number);
}

bool counts_alike(const source_outline& outline, std::size_t open) {
  const std::vector<token>& all = outline.tokens();
  const std::size_t close = closing_bracket(all, open);
  if (close == all.size() || close < open + 3) return false;
  if (all[open + 1].kind != token_kind::word || all[open + 2].kind != token_kind::word) return false;
  const std::string_view variable = all[open + 2].text;
  return std::all_of(
      all.begin() + static_cast<std::ptrdiff_t>(open) + 2, all.begin() + static_cast<std::ptrdiff_t>(close),
      [&](const token& each) { return each.kind != token_kind::word || each.is(variable) || each.is("warpSize"); });
}

}  // namespace warpz
