// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/statement_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "source/early_exit.hpp"

namespace warpz {
namespace {

constexpr int deepest = 4;  ///< of what is looked up for a word or a call

template <std::size_t count>
bool is_one_of(const token& each, const std::array<std::string_view, count>& words) {
  return std::find(words.begin(), words.end(), each.text) != words.end();
}

constexpr std::array<std::string_view, 4> loop_words{"for", "while", "do", "switch"};

bool is_sign_of_change(const token& each) {
  constexpr std::array<std::string_view, 12> signs{
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++"};
  return is_one_of(each, signs) || each.is("--");
}

/// `>>=` is cut in two.
bool changes_at(const std::vector<token>& all, std::size_t i) {
  return is_sign_of_change(all[i]) || (all[i].is(">>") && all[i + 1].is("=") && all[i].end() == all[i + 1].begin);
}

constexpr std::array<std::string_view, 7> type_words{"const", "unsigned", "int", "long", "short", "size_t", "bool"};

}  // namespace

bool statement_words::is_called_by_all(const source_scope& function) const {
  return is_called_by_all(function, deepest);
}

bool statement_words::is_called_by_all(const source_scope& function, int depth) const {
  if (function.is_kernel) return true;
  if (depth == 0) return false;
  const std::vector<std::size_t> calls = calls_of(function.header);
  for (const std::size_t i : calls) {
    const std::vector<source_scope> around = outline_.around(i);
    const auto statement = outline_.statement_at(around.back(), i);
    if (around.size() != 1 || !statement || early_exit_before(outline_, i) ||
        outline_.has_word(*statement, {"if", "for", "while", "switch", "?", "&&", "||"}) ||
        around.front().open == function.open || !is_called_by_all(around.front(), depth - 1))
      return false;
  }
  return !calls.empty();
}

std::vector<std::size_t> statement_words::calls_of(std::size_t name) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i + 1 < all_.size(); ++i) {
    const bool is_call = i != name && all_[i].is(all_[name].text) && (all_[i + 1].is("(") || all_[i + 1].is("<"));
    // Others are declarations.
    if (is_call && !outline_.around(i).empty()) found.push_back(i);
  }
  return found;
}

bool statement_words::is_preprocessed(const source_scope& function) const {
  const source_statement body{function.open, function.close};
  const auto text_at = [this](unsigned line) {
    return outline_.line_text(line).substr(outline_.indent_of(line).size());
  };
  for (unsigned line = 1; line <= outline_.line_of(function.close); ++line) {
    std::string_view rest = text_at(line);
    if (!rest.starts_with('#') || rest.find("pragma") != std::string_view::npos) continue;
    if (line >= outline_.line_of(function.open)) return true;
    const std::size_t define = rest.find("define ");
    if (define == std::string_view::npos) continue;
    rest = rest.substr(define + 7);
    std::string text(rest);
    while (text.ends_with('\\')) text += text_at(++line);
    const std::vector<token> words = tokens_of(text);
    const bool has_more = std::any_of(words.begin(), words.end(), [](const token& each) {
      constexpr std::array<std::string_view, 8> signs{"{", "}", ";", "return", "break", "continue", "if", "for"};
      return is_one_of(each, signs) || is_block_barrier(each) || each.text.starts_with("__");
    });
    if (has_more && outline_.has_word(body, {words.front().text})) return true;
  }
  return false;
}

bool statement_words::calls_meeting(const source_statement& each) const { return calls_meeting(each, deepest); }

bool statement_words::calls_meeting(const source_statement& each, int depth) const {
  for (std::size_t i = each.first; i < each.last; ++i) {
    const bool is_of_library = all_[i].text.starts_with("__syncthreads_") || all_[i].text.starts_with("Block") ||
                               all_[i].is("sync") || (all_[i].is("block") && all_[i + 1].is("::"));
    if (is_of_library) return true;
    if (all_[i].kind != token_kind::word || !(all_[i + 1].is("(") || all_[i + 1].is("<")) || depth == 0) continue;
    for (std::size_t k = 0; k + 1 < all_.size(); ++k) {
      if (k == i || !all_[k].is(all_[i].text) || !all_[k + 1].is("(")) continue;
      const std::size_t close = closing_bracket(all_, k + 1);
      const bool has_body = close + 2 < all_.size() && (all_[close + 1].is("{") || all_[close + 1].is("const"));
      const std::vector<source_scope> around =
          has_body ? outline_.around(close + (all_[close + 1].is("{") ? 2 : 3)) : std::vector<source_scope>();
      if (around.empty() || around.front().header != k) continue;
      const source_statement body{around.front().open, around.front().close};
      for (std::size_t n = body.first; n < body.last; ++n) {
        if (is_block_barrier(all_[n]) || is_call_of_warp(n)) return true;
      }
      if (calls_meeting(body, depth - 1)) return true;
    }
  }
  return false;
}

bool statement_words::is_call_of_warp(std::size_t number) const {
  if (number + 1 >= all_.size() || !all_[number + 1].is("(")) return false;
  const std::string_view text = all_[number].text;
  return text.starts_with("__shfl") || text.starts_with("__ballot") || text == "__any" || text == "__all" ||
         text == "__any_sync" || text == "__all_sync";
}

bool statement_words::is_barrier_alone(const source_statement& each) const {
  return each.last >= each.first + 3 && is_block_barrier(all_[each.last - 3]) && all_[each.last - 2].is("(") &&
         all_[each.last - 1].is(")") &&
         (each.last == each.first + 3 || (each.last == each.first + 5 && all_[each.first + 1].is("::")));
}

std::optional<source_loop> statement_words::loop_of(const source_statement& each) const {
  const bool is_do = all_[each.first].is("do");
  std::size_t open = each.first + 1;
  source_loop loop{};
  if (is_do) {
    if (!all_[open].is("{")) return {};
    const std::vector<source_scope> scopes = outline_.around(open + 1);
    if (scopes.empty() || scopes.back().open != open) return {};
    loop.body = {open, scopes.back().close};
    open = loop.body.last + 2;
  }
  if (!all_[open].is("(")) return {};
  const std::size_t close = closing_bracket(all_, open);
  if (close > each.last) return {};
  loop.head = {is_do ? open : each.first, close};
  if (!is_do) loop.body = {close + 1, each.last};
  loop.begin = loop.step = {1, 0};
  loop.condition = {open + 1, close - 1};
  if (!all_[each.first].is("for")) return loop;
  std::vector<std::size_t> ends;
  for (std::size_t i = open + 1; i < close; ++i) {
    if (all_[i].is(";")) ends.push_back(i);
  }
  if (ends.size() != 2) return {};
  loop.begin = {open + 1, ends[0]};
  loop.condition = {ends[0] + 1, ends[1] - 1};
  loop.step = {ends[1] + 1, close - 1};
  return loop;
}

std::optional<source_branch> statement_words::branch_of(const source_statement& each) const {
  const std::size_t open = each.first + 1;
  const std::size_t close = all_[open].is("(") ? closing_bracket(all_, open) : all_.size();
  if (close >= each.last) return {};
  source_branch branch{close, {open + 1, close - 1}, {close + 1, each.last}, {}, 0};
  if (!all_[close + 1].is("{")) {
    if (outline_.has_word(branch.then, {"else"})) return {};
    return branch;
  }
  const std::vector<source_scope> scopes = outline_.around(close + 2);
  if (scopes.empty() || scopes.back().open != close + 1) return {};
  branch.then.last = scopes.back().close;
  if (branch.then.last == each.last) return branch;
  branch.otherwise = branch.then.last + 1;
  branch.other = source_statement{branch.otherwise + 1, each.last};
  return all_[branch.otherwise].is("else") ? std::optional(branch) : std::nullopt;
}

std::vector<source_statement> statement_words::statements_of(const source_statement& body) const {
  if (!all_[body.first].is("{")) return {body};
  return outline_.statements_in({scope_kind::other, body.first, body.first, body.last});
}

source_declaration statement_words::declared_in(const source_statement& each) const {
  constexpr std::array<std::string_view, 6> idle{"using",      "typedef", "static_assert",
                                                 "__shared__", "extern",  "constexpr"};
  constexpr std::array<std::string_view, 9> others{"if",     "for",  "while",  "do",   "switch",
                                                   "return", "case", "delete", "throw"};
  source_declaration found;
  if (const std::size_t bound = each.first + (all_[each.first].is("const") ? 1 : 0); all_[bound].is("auto")) {
    for (std::size_t i = bound + 2; all_[bound + 1].is("[") && !all_[i - 1].is("]"); i += 2)
      found.names.push_back(all_[i].text);
    if (!found.names.empty()) return found;
  }
  if (all_[each.first].kind != token_kind::word || is_one_of(all_[each.first], others)) return found;
  std::size_t name = each.first;
  while (name <= each.last &&
         (all_[name].kind == token_kind::word || all_[name].is("::") || all_[name].is("*") || all_[name].is("&") ||
          all_[name].is("<") || all_[name].is(">") || all_[name].is(",") || all_[name].kind == token_kind::number))
    ++name;
  // The one in front of what begins its value, or ends it.
  if (name < each.first + 2 || name > each.last) return found;
  --name;
  while (name > each.first && all_[name - 1].is(",")) name -= 2;
  const token& before = all_[name - 1];
  const bool is_declared = all_[name].kind == token_kind::word && name > each.first &&
                           (before.kind == token_kind::word || before.is("*") || before.is("&") || before.is(">"));
  found.is_for_all = is_one_of(all_[each.first], idle);
  if (!is_declared && !found.is_for_all) return found;
  found.first_name = name;
  bool has_values = true;
  int depth = 0;
  for (std::size_t i = name; i <= each.last; ++i) {
    if (depth == 0 && (i == name || all_[i - 1].is(",")) && all_[i].kind == token_kind::word) {
      found.names.push_back(all_[i].text);
      has_values = has_values && (all_[i + 1].is("=") || all_[i + 1].is("{"));
    }
    if (all_[i].is("(") || all_[i].is("[") || all_[i].is("{")) ++depth;
    if (all_[i].is(")") || all_[i].is("]") || all_[i].is("}")) --depth;
  }
  found.is_for_all = found.is_for_all || !outline_.has_word({name, each.last}, {"=", "(", "{"});
  const source_statement type{each.first, name - 1};
  if (!has_values || outline_.has_word(type, {"&", "static", "volatile"})) return found;
  if (all_[name - 1].is("auto")) {
    found.asked_for_type = {name + 2, each.last - 1};
    // A list of values has no type.
    if (found.names.size() == 1 && all_[name + 1].is("=") && !all_[name + 2].is("{") &&
        (name == each.first + 1 || all_[each.first].is("const")))
      found.type = fmt::format("std::decay_t<decltype({})>", outline_.text(name + 2, each.last - 1));
    return found;
  }
  // What a pointer points to stays as it is.
  const bool is_pointer = outline_.has_word(type, {"*"});
  std::string text;
  for (std::size_t i = type.first; i <= type.last; ++i) {
    if (all_[i].is("const") && (!is_pointer || i == type.last)) continue;
    const bool is_apart = i != type.first && all_[i - 1].end() != all_[i].begin;
    text += fmt::format("{}{}", is_apart && !text.empty() ? " " : "", all_[i].text);
  }
  const bool is_plain = std::all_of(at(type.first), at(name), [this](const token& one) {
    constexpr std::array<std::string_view, 9> plain{"T",      "char", "float", "double", "half",
                                                    "signed", "uint", "uchar", "__half"};
    const std::string_view base = one.text.substr(0, one.text.find_last_not_of("1234") + 1);
    return one.kind != token_kind::word || is_one_of(one, type_words) || one.text.ends_with("_t") ||
           std::find(plain.begin(), plain.end(), base) != plain.end() || base == "int" ||
           may_be_declared_alone(one.text);
  });
  if (!is_plain && !is_pointer) return found;
  // `const int *p, q` would declare two kinds.
  if (!is_pointer || found.names.size() == 1) found.type = text;
  return found;
}

/// A class of the file that has a value by default, and may be assigned to.
bool statement_words::may_be_declared_alone(std::string_view class_name) const {
  for (std::size_t i = 2; i < all_.size(); ++i) {
    const bool is_class =
        all_[i].is("{") && all_[i - 1].is(class_name) && (all_[i - 2].is("struct") || all_[i - 2].is("class"));
    if (!is_class) continue;
    std::size_t close = i + 1;
    for (int depth = 1; close < all_.size(); ++close) {
      if (all_[close].is("{")) ++depth;
      if (all_[close].is("}") && --depth == 0) break;
    }
    bool has_default = true;
    for (const source_statement& each : outline_.statements_in({scope_kind::other, i, i, close})) {
      const auto own =
          std::find_if(at(each.first), at(each.last), [&](const token& one) { return one.is(class_name); });
      if (own != at(each.last) && (own - 1)->is("~")) return false;
      const bool is_constructor = own != at(each.last) && (own + 1)->is("(") && !outline_.has_word(each, {"operator"});
      if (is_constructor && (own + 2)->is(")")) return !outline_.has_word(each, {"delete"});
      has_default = has_default && !is_constructor;
      const bool is_member = !outline_.has_word(each, {"(", "static", "using"});
      if (is_member && outline_.has_word(each, {"const", "&"})) return false;
    }
    return has_default;
  }
  return false;
}

bool statement_words::declares(const source_statement& part) const {
  for (std::size_t i = part.first; i < part.last; ++i) {
    if (all_[i].is(";") || (all_[i].kind == token_kind::word && all_[i + 1].kind == token_kind::word)) return true;
  }
  return part.first <= part.last && all_[part.last].is(";");
}

bool statement_words::is_pure(const source_statement& part) const {
  std::size_t changes = 0;
  for (std::size_t i = part.first; i <= part.last; ++i) {
    const token& each = all_[i];
    const token& before = all_[i == 0 ? 0 : i - 1];
    const bool is_behind_value = before.kind != token_kind::punctuator || before.is(")") || before.is("]");
    if (each.is("[") || each.is("->") || each.is("{") || (each.is("(") && before.kind == token_kind::word))
      return false;
    if (each.is("*") && (!is_behind_value || i == part.first)) return false;
    if (changes_at(all_, i) && (!each.is("=") || ++changes > 1)) return false;
  }
  return true;
}

bool statement_words::is_harmless(const source_statement& part) const {
  for (std::size_t i = part.first; i <= part.last; ++i) {
    const bool divides = all_[i].is("/") || all_[i].is("%");
    if (divides && all_[i + 1].kind != token_kind::number && !all_[i + 1].is("warpSize")) return false;
  }
  return is_pure(part);
}

bool statement_words::is_set_again(std::string_view word, std::size_t first, std::size_t last) const {
  for (std::size_t i = first; i < last; ++i) {
    if (!all_[i].is(word) || all_[i - 1].is(".") || all_[i - 1].is("->")) continue;
    if (changes_at(all_, i + 1) || all_[i - 1].is("++") || all_[i - 1].is("--") || all_[i - 1].is("&") ||
        all_[i - 1].is(">>"))
      return true;
  }
  return false;
}

bool statement_words::is_alike(std::string_view word, const source_scope& function, int depth) const {
  constexpr std::array<std::string_view, 9> known{"warpSize", "blockDim", "gridDim", "blockIdx", "x",
                                                  "y",        "z",        "true",    "false"};
  if (std::find(known.begin(), known.end(), word) != known.end()) return true;
  if (depth == 0) return false;
  const std::size_t open = function.header + 1, close = closing_bracket(all_, open);
  bool is_known = false;
  for (std::size_t i = open + 1; i < close; ++i) {
    const bool is_name = all_[i].is(word) && (all_[i + 1].is(",") || i + 1 == close);
    is_known = is_known || (is_name && function.is_kernel);
  }
  if (is_known) return !is_set_again(word, function.open, function.close);
  // A constant of the function.
  for (const source_statement& each : outline_.statements_in(function)) {
    const bool is_constant = all_[each.first].is("const") || all_[each.first].is("constexpr");
    const source_declaration declared = is_constant ? declared_in(each) : source_declaration{};
    if (declared.names.size() != 1 || declared.names.front() != word) continue;
    return all_[declared.first_name + 1].is("=") && !outline_.has_word({each.first, declared.first_name}, {"*", "&"}) &&
           is_alike({declared.first_name + 2, each.last - 1}, function, depth - 1);
  }
  return false;
}

bool statement_words::is_alike(const source_statement& part, const source_scope& function, int depth) const {
  for (std::size_t i = part.first; i <= part.last; ++i) {
    const token& each = all_[i];
    const bool is_call = each.is("(") && i != 0 && all_[i - 1].kind == token_kind::word;
    if (each.is("[") || each.is("->") || each.is("{") || is_call || changes_at(all_, i)) return false;
    if (each.kind != token_kind::word || is_one_of(each, type_words)) continue;
    if (!is_alike(each.text, function, depth)) return false;
  }
  return true;
}

bool statement_words::is_alike(const source_statement& part, const source_scope& function) const {
  return is_alike(part, function, deepest);
}

bool statement_words::is_own_step(const source_loop& loop) const {
  if (!declares(loop.begin)) return false;
  const source_declaration declared = declared_in(loop.begin);
  if (declared.names.size() != 1) return false;
  std::size_t changes = 0;
  for (std::size_t i = loop.step.first; i <= loop.step.last; ++i) {
    if (!changes_at(all_, i)) continue;
    ++changes;
    const bool is_own = all_[i - 1].is(declared.names.front()) || all_[i + 1].is(declared.names.front());
    if (!is_own) return false;
  }
  return changes == 1 && !outline_.has_word(loop.step, {"[", "->", "(", ","});
}

bool statement_words::counts_alike(const source_loop& loop, const source_scope& function) const {
  if (loop.begin.last < loop.begin.first || loop.condition.last < loop.condition.first || !is_own_step(loop))
    return false;
  const source_declaration declared = declared_in(loop.begin);
  const std::string_view own = declared.names.front();
  if (!all_[declared.first_name + 1].is("=") || is_set_again(own, loop.body.first, loop.body.last)) return false;
  const auto is_of_all = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i <= last; ++i) {
      const bool is_call = all_[i].is("(") && all_[i - 1].kind == token_kind::word;
      if (all_[i].is("[") || all_[i].is("->") || is_call) return false;
      if (all_[i].kind == token_kind::word && all_[i].text != own && !is_alike(all_[i].text, function, deepest))
        return false;
    }
    return true;
  };
  return is_of_all(declared.first_name + 2, loop.begin.last) && is_of_all(loop.condition.first, loop.condition.last) &&
         is_of_all(loop.step.first, loop.step.last);
}

std::optional<reduced_variable> statement_words::reduced_by(const source_statement& each) const {
  constexpr std::array<std::string_view, 4> signs{"+=", "-=", "|=", "^="};
  constexpr std::array<std::string_view, 6> keeping{"max", "min", "fmaxf", "fminf", "fmax", "fmin"};
  const std::string_view name = all_[each.first].text;
  if (all_[each.first].kind != token_kind::word || each.first + 4 > each.last) return {};
  std::size_t call = each.first + 2, behind = each.last;
  const bool keeps = all_[each.first + 1].is("=");
  if (keeps) {
    if (all_[call].is("std")) call += 2;
    if (!is_one_of(all_[call], keeping) || !all_[call + 1].is("(")) return {};
    behind = closing_bracket(all_, call + 1);
    if (behind + 1 != each.last) return {};
    const bool is_first = all_[call + 2].is(name) && all_[call + 3].is(",");
    const bool is_last = all_[behind - 1].is(name) && all_[behind - 2].is(",");
    if (!is_first && !is_last) return {};
    call += is_first ? 4 : 2;
    if (!is_first) behind -= 2;
  } else if (!is_one_of(all_[each.first + 1], signs)) {
    return {};
  }
  const bool is_reduced = is_call_of_warp(call) && closing_bracket(all_, call + 1) + 1 == behind &&
                          outline_.has_word({call, behind}, {name}) && liftable(call, {call, behind});
  return is_reduced ? std::optional(reduced_variable{name, keeps}) : std::nullopt;
}

std::vector<reduced_variable> statement_words::reduced_in(const source_loop& loop) const {
  std::vector<reduced_variable> found;
  for (const source_statement& each : statements_of(loop.body)) {
    const std::optional<reduced_variable> reduced = reduced_by(each);
    if (!reduced) return {};
    if (std::find(found.begin(), found.end(), *reduced) == found.end()) found.push_back(*reduced);
  }
  return found;
}

/// As a number in the text.
bool statement_words::names_all_lanes(const source_statement& operand) const {
  std::string text(outline_.text(operand.first, operand.last));
  text.erase(text.find_last_not_of("uUlL") + 1);
  constexpr std::array<std::string_view, 5> all{"~0", "-1", "0xffffffff", "0xffffffffffffffff", "0xFFFFFFFF"};
  return std::find(all.begin(), all.end(), text) != all.end();
}

std::optional<source_statement> statement_words::liftable(std::size_t number, const source_statement& each) const {
  const std::size_t close = closing_bracket(all_, number + 1);
  if (close > each.last || outline_.has_word({each.first, number}, {"for", "while", "do"})) return {};
  std::size_t operand = number + 2;
  if (all_[number].text.ends_with("_sync")) {
    std::size_t comma = operand;
    while (comma < close && !all_[comma].is(",")) ++comma;
    if (comma == operand || !names_all_lanes({operand, comma - 1})) return {};
    operand = comma + 1;
  }
  // Names and numbers only: a branch may be what keeps others within bounds.
  if (operand >= close || !is_harmless({operand, close - 1})) return {};
  // What others have must not be added.
  const token& target = all_[each.first];
  if (target.kind == token_kind::word && changes_at(all_, each.first + 1) &&
      outline_.has_word({operand, close - 1}, {target.text})) {
    const bool is_kept = all_[each.first + 1].is("=") && number == each.first + 2 && close + 1 == each.last;
    if (!is_kept) return {};
  }
  return source_statement{number, close};
}

bool statement_words::leaves(std::size_t number, const source_statement& each) const {
  const bool is_continue = all_[number].is("continue");
  const std::vector<source_scope> scopes = outline_.around(number);
  for (std::size_t i = scopes.size(); i-- > 0;) {
    const std::optional<source_statement> inner = outline_.statement_at(scopes[i], number);
    if (!inner) return true;
    std::size_t head = std::max(inner->first, each.first);
    while (all_[head].is("if") && head + 1 < number) head = closing_bracket(all_, head + 1) + 1;
    const bool is_loop =
        head < number && is_one_of(all_[head], loop_words) && !(is_continue && all_[head].is("switch"));
    if (is_loop) return false;
    if (inner->first <= each.first) return true;
  }
  return true;
}

bool statement_words::is_last_in(std::size_t exit, const source_statement& each) const {
  const std::vector<source_scope> scopes = outline_.around(exit);
  for (std::size_t i = scopes.size(); i-- > 0;) {
    const std::optional<source_statement> inner = outline_.statement_at(scopes[i], exit);
    if (!inner) return false;
    if (inner->first <= each.first) {
      // The statement itself, in which no loop is around the exit.
      return !outline_.has_word({each.first, exit}, {"for", "while", "do", "switch", "goto"});
    }
    if (outline_.statements_in(scopes[i]).back() != *inner) return false;
  }
  return true;
}

std::string statement_words::unused_name(std::string_view base) {
  std::string name(base);
  const auto is_used = [&] {
    return std::any_of(all_.begin(), all_.end(), [&](const token& each) { return each.is(name); }) ||
           std::find(names_.begin(), names_.end(), name) != names_.end();
  };
  for (unsigned number = 2; is_used(); ++number) name = fmt::format("{}_{}", base, number);
  names_.push_back(name);
  return name;
}

}  // namespace warpz
