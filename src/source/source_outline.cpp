// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/source_outline.hpp"

#include <algorithm>

namespace warpz {
namespace {

bool is_marked_kernel(const std::vector<token>& tokens, std::size_t name) {
  for (std::size_t i = name; i-- > 0;) {
    if (tokens[i].is("__global__")) return true;
    if (tokens[i].is(";") || tokens[i].is("}") || tokens[i].is("{")) return false;
  }
  return false;
}

/// What the brace at `open` begins, by what stands before it.
source_scope scope_at(const std::vector<token>& tokens, std::size_t open, bool is_in_function) {
  source_scope scope{scope_kind::other, open, open, open};
  if (open == 0) return scope;
  std::size_t before = open - 1;
  if (tokens[before].is("else")) return {scope_kind::branch, before, open, open};
  if (tokens[before].is("do")) return {scope_kind::loop, before, open, open};
  while (before != 0 && (tokens[before].is("const") || tokens[before].is("noexcept"))) --before;
  if (!tokens[before].is(")")) return scope;
  const std::size_t begin = opening_bracket(tokens, before);
  if (begin == 0) return scope;
  scope.header = begin - 1;
  const token& word = tokens[scope.header];
  if (word.is("constexpr") && scope.header != 0 && tokens[scope.header - 1].is("if")) {
    return {scope_kind::branch, scope.header - 1, open, open};
  }
  if (word.is("for") || word.is("while")) {
    scope.kind = scope_kind::loop;
  } else if (word.is("if") || word.is("switch")) {
    scope.kind = scope_kind::branch;
  } else if (!is_in_function && word.kind == token_kind::word) {
    scope.kind = scope_kind::function;
    scope.is_kernel = is_marked_kernel(tokens, scope.header);
  }
  return scope;
}

}  // namespace

source_outline::source_outline(std::string_view text) : text_(text), tokens_(tokens_of(text)), line_begins_{0} {
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) line_begins_.push_back(at + 1);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].is("{")) {
      const bool is_in_function = std::any_of(
          open.begin(), open.end(), [this](std::size_t each) { return scopes_[each].kind == scope_kind::function; });
      open.push_back(scopes_.size());
      scopes_.push_back(scope_at(tokens_, i, is_in_function));
    } else if (tokens_[i].is("}") && !open.empty()) {
      scopes_[open.back()].close = i;
      open.pop_back();
    }
  }
  // What is never closed is not understood.
  std::erase_if(scopes_, [](const source_scope& each) { return each.close == each.open; });
}

std::optional<std::size_t> source_outline::token_at(unsigned line, unsigned column) const {
  if (line == 0 || line > line_begins_.size()) return {};
  const auto first =
      std::find_if(tokens_.begin(), tokens_.end(), [line](const token& each) { return each.line >= line; });
  if (first == tokens_.end() || first->line != line) return {};
  auto found = first;
  const std::size_t at = line_begins_[line - 1] + std::max(column, 1U) - 1;
  for (auto each = first; each != tokens_.end() && each->line == line && each->begin <= at; ++each) found = each;
  return static_cast<std::size_t>(found - tokens_.begin());
}

std::vector<source_scope> source_outline::around(std::size_t number) const {
  std::vector<source_scope> found;
  for (const source_scope& each : scopes_) {
    const bool is_around = each.open < number && number < each.close;
    if (is_around && (!found.empty() || each.kind == scope_kind::function)) found.push_back(each);
  }
  return found;
}

std::vector<source_statement> source_outline::statements_in(const source_scope& scope) const {
  std::vector<source_statement> found;
  int parentheses = 0, braces = 0;
  std::size_t first = scope.open + 1;
  for (std::size_t i = first; i < scope.close; ++i) {
    const token& each = tokens_[i];
    const token& next = tokens_[i + 1];
    if (each.is("(") || each.is("[")) ++parentheses;
    if (each.is(")") || each.is("]")) --parentheses;
    if (each.is("{")) ++braces;
    if (each.is("}")) --braces;
    if (parentheses != 0 || braces != 0 || next.is("else")) continue;
    const bool goes_on =
        next.is(";") || next.is(",") || next.is(")") || next.is(".") || (tokens_[first].is("do") && next.is("while"));
    if (!each.is(";") && (!each.is("}") || goes_on)) continue;
    found.push_back({first, i});
    first = i + 1;
  }
  return found;
}

std::optional<source_statement> source_outline::statement_at(const source_scope& scope, std::size_t number) const {
  for (const source_statement& each : statements_in(scope)) {
    if (each.first <= number && number <= each.last) return each;
  }
  return {};
}

std::optional<source_statement> source_outline::statement_around(unsigned line, unsigned column) const {
  const std::optional<std::size_t> at = token_at(line, column);
  const std::vector<source_scope> scopes = at ? around(*at) : std::vector<source_scope>();
  return scopes.empty() ? std::nullopt : statement_at(scopes.back(), *at);
}

bool source_outline::has_word(const source_statement& statement, const std::vector<std::string_view>& words) const {
  for (std::size_t i = statement.first; i <= statement.last; ++i) {
    if (std::find(words.begin(), words.end(), tokens_[i].text) != words.end()) return true;
  }
  return false;
}

bool source_outline::is_of_if(const source_scope& branch) const {
  return branch.kind == scope_kind::branch && tokens_[branch.header].is("if") &&
         (branch.header == 0 || !tokens_[branch.header - 1].is("else"));
}

bool source_outline::has_else(const source_scope& branch) const {
  return branch.close + 1 < tokens_.size() && tokens_[branch.close + 1].is("else");
}

std::optional<std::string_view> source_outline::condition_of(const source_scope& branch) const {
  const std::size_t open = opening_bracket(tokens_, branch.open - 1);
  const source_statement condition{open + 1, branch.open - 2};
  if (!is_of_if(branch) || open == 0 || has_word(condition, {";", "="})) return {};
  return text(condition.first, condition.last);
}

std::string_view source_outline::text(std::size_t first, std::size_t last) const {
  return text_.substr(tokens_[first].begin, tokens_[last].end() - tokens_[first].begin);
}

std::string source_outline::replaced(std::size_t first, std::size_t last, std::string_view by) const {
  const std::string_view whole = line_text(line_of(first)), old = text(first, last);
  std::string line(whole);
  line.replace(static_cast<std::size_t>(old.data() - whole.data()), old.size(), by);
  return line;
}

std::string_view source_outline::line_text(unsigned line) const {
  const std::string_view rest = text_.substr(line_begins_[line - 1]);
  return rest.substr(0, rest.find('\n'));
}

std::string_view source_outline::indent_of(unsigned line) const {
  const std::string_view text = line_text(line);
  return text.substr(0, std::min(text.find_first_not_of(" \t"), text.size()));
}

}  // namespace warpz
