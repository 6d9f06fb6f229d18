// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/warp_wait_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "findings/lane_groups.hpp"
#include "source/source_outline.hpp"
#include "source/source_patch.hpp"
#include "source/warp_turns.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

constexpr std::string_view flag = "waits";

/// A loop in which a lane waits, and the scope in which it stands.
struct waiting_loop {
  source_statement statement;
  source_scope scope;
};

bool is_true(const source_outline& outline, const source_statement& condition) {
  const std::string_view text = outline.text(condition.first, condition.last);
  return text == "true" || text == "1" || text == ";;";
}

/// What all lanes have to reach together.
bool is_meeting(const token& each) {
  for (const std::string_view begin :
       {"__sync", "__shfl", "__ballot", "__any", "__all", "__match", "__reduce", "shfl"}) {
    if (each.text.starts_with(begin)) return true;
  }
  return each.is("sync") || is_block_barrier(each);
}

class wait_search {
 public:
  wait_search(std::string_view text, const source_line& waiting, const source_line& giving)
      : outline_(text),
        all_(outline_.tokens()),
        patch_(outline_),
        waiting_(outline_.token_at(waiting.line, waiting.column)),
        giving_(outline_.token_at(giving.line, giving.column)) {}

  std::optional<source_repair> find(const std::string& file) {
    const bool is_taken = std::any_of(all_.begin(), all_.end(), [](const token& each) { return each.is(flag); });
    const std::optional<waiting_loop> loop = is_taken || !waiting_ || !giving_ ? std::nullopt : loop_around();
    if (!loop) return {};
    giver_ = outline_.around(*giving_);
    const source_scope function = outline_.around(*waiting_).front();
    if (giver_.empty()) return {};
    const std::size_t behind = loop->statement.last;
    const bool is_here = gives_between(behind, loop->scope.close);
    if (is_here ? !wrap(loop->scope, loop->statement) || !change_loop(loop->statement, "continue;")
                : !try_once(*loop, function))
      return {};
    const std::optional<std::vector<line_edit>> edits = patch_.edits();
    if (!edits) return {};
    source_repair repair{file, *edits, ""};
    repair.advice = fmt::format(
        "Where a warp goes on as one, as on AMD's GPUs and NVIDIA's before Volta, the lane that has left the\n"
        "  loop waits for the others. Put a loop around lines {}, in which a lane that has to\n"
        "  wait goes on to the next round.",
        fmt::join(wrapped_, " and "));
    return repair;
  }

 private:
  std::optional<waiting_loop> loop_around() const {
    const std::vector<source_scope> scopes = outline_.around(*waiting_);
    for (std::size_t i = scopes.size(); i-- > 0;) {
      const std::optional<source_statement> each = outline_.statement_at(scopes[i], *waiting_);
      if (!each) return {};
      if (all_[each->first].is("while") || all_[each->first].is("do") || all_[each->first].is("for"))
        return waiting_loop{*each, scopes[i]};
    }
    return {};
  }

  /// Whether a token is a call that gives: one like that of the finding, or of the function in which that is.
  bool gives(std::size_t number) const {
    if (!all_[number + 1].is("(") || !all_[*giving_ + 1].is("(")) return false;
    if (outline_.around(number).front().open != giver_.front().open)
      return all_[number].is(all_[giver_.front().header].text);
    if (!all_[number].is(all_[*giving_].text)) return false;
    const std::size_t close = closing_bracket(all_, number + 1), known = closing_bracket(all_, *giving_ + 1);
    return close != all_.size() && known != all_.size() &&
           outline_.text(number, close) == outline_.text(*giving_, known);
  }

  bool gives_between(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i + 1 < last; ++i) {
      if (gives(i)) return true;
    }
    return false;
  }

  /// A loop around all from a statement to the last one that gives.
  bool wrap(const source_scope& scope, const source_statement& begin) {
    std::vector<source_statement> behind = outline_.statements_in(scope);
    std::erase_if(behind, [&](const source_statement& each) { return each.first <= begin.last; });
    std::size_t count = 0;
    for (std::size_t i = 0; i < behind.size(); ++i) {
      if (gives_between(behind[i].first, behind[i].last)) count = i + 1;
    }
    if (count == 0) return false;
    // What is declared within is not known behind it.
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<std::size_t> name = declared_in(behind[i]);
      for (std::size_t k = count; name && k < behind.size(); ++k) {
        if (outline_.has_word(behind[k], {all_[*name].text})) count = k + 1;
      }
    }
    const source_statement inside{behind.front().first, behind[count - 1].last};
    for (std::size_t i = inside.first; i < inside.last; ++i) {
      // What a lane does before it returns, compilers move out of the loop.
      const bool returns = all_[i].is("return") || all_[i].is("goto");
      if (returns || is_meeting(all_[i]) || leaves(i, inside)) return false;
    }
    patch_.put_lines_before(begin.first, fmt::format("for (bool {0} = true; {0};) {{", flag));
    patch_.put_lines_behind(inside.last, fmt::format("  {} = false;\n}}", flag));
    wrapped_.push_back(fmt::format("{} to {}", outline_.line_of(begin.first), outline_.line_of(inside.last)));
    return true;
  }

  /// Whether it ends or goes on with a loop that is not among these statements.
  bool leaves(std::size_t number, const source_statement& inside) const {
    if (!all_[number].is("break") && !all_[number].is("continue")) return false;
    const std::vector<source_scope> scopes = outline_.around(number);
    for (std::size_t i = scopes.size(); i-- > 0;) {
      const std::optional<source_statement> each = outline_.statement_at(scopes[i], number);
      if (!each || each->first < inside.first) return true;
      if (outline_.has_word({each->first, each->first}, {"for", "while", "do"})) return false;
    }
    return true;
  }

  /// The token of the name, if it is a declaration.
  std::optional<std::size_t> declared_in(const source_statement& statement) const {
    if (all_[statement.first].kind != token_kind::word) return {};
    for (std::size_t i = statement.first + 1; i <= statement.last; ++i) {
      const bool ends = all_[i].is("=") || all_[i].is(";") || all_[i].is("[") || all_[i].is("{") || all_[i].is("(");
      if (!ends) continue;
      if (i < statement.first + 2 || all_[i - 1].kind != token_kind::word) return {};
      const token& type = all_[i - 2];
      const bool is_declared = type.kind == token_kind::word || type.is("*") || type.is("&") || type.is(">");
      return is_declared ? std::optional(i - 1) : std::nullopt;
    }
    return {};
  }

  /// One look in place of the loop, and in vain what is told.
  bool change_loop(const source_statement& loop, const std::string& in_vain) {
    const bool is_do = all_[loop.first].is("do");
    if (is_do) return change_do(loop, in_vain);
    const std::size_t open = loop.first + 1, close = closing_bracket(all_, open);
    if (!all_[open].is("(") || close + 1 > loop.last) return false;
    const source_statement condition{open + 1, close - 1}, body{close + 1, loop.last};
    if (is_true(outline_, condition)) return change_endless(loop, body, in_vain);
    if (!all_[loop.first].is("while")) return false;
    const bool is_idle = !outline_.has_word(body, {"break", "return", "goto"});
    if (!is_idle || body.first > body.last) return false;
    patch_.replace(loop.first, loop.first, "if");
    if (all_[body.first].is("{")) {
      if (body.last == body.first + 1 || all_[body.first + 1].is("continue")) {
        return replace_body(body, in_vain);
      }
      if (outline_.has_word(body, {"continue"})) return false;
      patch_.put_lines_before(body.last, "  " + in_vain);
    } else if (all_[body.first].is(";") || all_[body.first].is("continue")) {
      patch_.replace(body.first, body.last, all_[body.first].is(";") ? " " + in_vain : in_vain);
    } else {
      patch_.put_before(body.first, "{ ");
      patch_.put_behind(body.last, fmt::format(" {} }}", in_vain));
    }
    return true;
  }

  /// Of braces around nothing, or around `continue`.
  bool replace_body(const source_statement& body, const std::string& in_vain) {
    if (body.last == body.first + 1) {
      if (outline_.line_of(body.first) == outline_.line_of(body.last)) {
        patch_.replace(body.first, body.last, in_vain);
      } else {
        patch_.put_lines_before(body.last, "  " + in_vain);
      }
      return true;
    }
    if (body.last != body.first + 3) return false;
    patch_.replace(body.first + 1, body.first + 2, in_vain);
    return true;
  }

  bool change_do(const source_statement& loop, const std::string& in_vain) {
    const std::size_t open = loop.first + 1;
    const auto scopes = outline_.around(open + 1);
    if (!all_[open].is("{") || scopes.empty() || scopes.back().open != open) return false;
    const std::size_t condition = scopes.back().close + 1;
    if (!all_[condition].is("while") || outline_.has_word(loop, {"break", "continue", "return", "goto"})) return false;
    patch_.replace(loop.first, open, "{");
    patch_.replace(condition - 1, condition, fmt::format("}}\n{}if", outline_.indent_of(outline_.line_of(loop.first))));
    patch_.replace(loop.last, loop.last, " " + in_vain);
    return true;
  }

  /// `while (true) { if (C) break; }`
  bool change_endless(const source_statement& loop, const source_statement& body, const std::string& in_vain) {
    const std::vector<source_scope> scopes = outline_.around(body.first + 1);
    if (!all_[body.first].is("{") || scopes.empty() || scopes.back().open != body.first) return false;
    const std::vector<source_statement> statements = outline_.statements_in(scopes.back());
    const auto breaks = std::count_if(all_.begin() + static_cast<std::ptrdiff_t>(body.first),
                                      all_.begin() + static_cast<std::ptrdiff_t>(body.last),
                                      [](const token& each) { return each.is("break"); });
    if (statements.empty() || breaks != 1 || outline_.has_word(body, {"continue", "return", "goto", "else"}))
      return false;
    const source_statement& last = statements.back();
    const std::size_t open = last.first + 1, close = closing_bracket(all_, open);
    if (!all_[last.first].is("if") || !all_[open].is("(") || close + 2 != last.last || !all_[close + 1].is("break"))
      return false;
    patch_.replace(loop.first, body.first, "{");
    patch_.put_before(open + 1, "!(");
    patch_.put_behind(close - 1, ")");
    patch_.replace(close + 1, last.last, in_vain);
    return true;
  }

  /// The function that waits tells whether it has got on, and each of its calls is repeated.
  bool try_once(const waiting_loop& loop, const source_scope& function) {
    const std::size_t name = function.header;
    const std::vector<source_statement> inside = outline_.statements_in(function);
    const bool begins = loop.scope.open == function.open && inside.front() == loop.statement;
    const bool is_void = name != 0 && all_[name - 1].is("void") && !function.is_kernel;
    if (!begins || !is_void || outline_.has_word({function.open, function.close}, {"return"})) return false;
    for (std::size_t i = 0; i + 1 < all_.size(); ++i) {
      if (i == name || !all_[i].is(all_[name].text) || !all_[i + 1].is("(")) continue;
      const std::vector<source_scope> scopes = outline_.around(i);
      const auto statement = scopes.empty() ? std::nullopt : outline_.statement_at(scopes.back(), i);
      const std::size_t close = closing_bracket(all_, i + 1);
      // One that is alone, of a function or of an object.
      if (!statement || statement->last != close + 1 || outline_.has_word({statement->first, i}, {"=", "(", "return"}))
        return false;
      if (!wrap(scopes.back(), *statement)) return false;
      patch_.put_before(statement->first, "if (!");
      patch_.replace(statement->last, statement->last, ") continue;");
    }
    if (wrapped_.empty() || !change_loop(loop.statement, "return false;")) return false;
    patch_.replace(name - 1, name - 1, "bool");
    patch_.put_lines_before(function.close, "  return true;");
    return true;
  }

  const source_outline outline_;
  const std::vector<token>& all_;
  source_patch patch_;
  const std::optional<std::size_t> waiting_, giving_;
  std::vector<source_scope> giver_;
  std::vector<std::string> wrapped_;  ///< lines
};

/// The call of a group of lanes, also where its column is unknown.
std::optional<std::size_t> token_of(const source_outline& outline, const symbolized_finding& finding,
                                    std::size_t group) {
  const source_line& place = finding.places[group];
  const std::string_view operation = bounded(finding.record.groups[group].place.operation);
  const std::vector<token>& all = outline.tokens();
  const auto called = std::find_if(all.begin(), all.end(), [&](const token& each) {
    return place.column == 0 && each.line == place.line && each.is(operation);
  });
  return called != all.end() ? std::optional(static_cast<std::size_t>(called - all.begin()))
                             : outline.token_at(place.line, place.column);
}

}  // namespace

std::optional<source_repair> warp_wait_repair(const symbolized_finding& finding, std::string_view text) {
  if (finding.record.kind != WARPZ_WAIT_WITHIN_WARP || finding.places.size() != 2 ||
      finding.places.front().file != finding.places.back().file)
    return {};
  const source_line &waiting = finding.places.front(), &giving = finding.places.back();
  const source_outline outline(text);
  const auto waits = token_of(outline, finding, 0), gives = token_of(outline, finding, 1);
  if (!waits || !gives) return {};
  if (!bounded(finding.record.message).empty()) {
    std::optional<source_repair> found = turns_of_branches(outline, waiting.file, finding.is_of_cuda, *waits, *gives);
    const auto groups = groups_of(finding.record);
    // The turns are those of the lanes in ascending order.
    const bool is_behind = std::countr_zero(groups[1].lanes) < std::countr_zero(groups[0].lanes);
    if (found || !is_behind) return found;
    return turns_of_lanes(outline, waiting.file, finding.is_of_cuda, *waits, *gives);
  }
  std::optional<source_repair> found = wait_search(text, waiting, giving).find(waiting.file);
  return found ? found : turns_of_lanes(outline, waiting.file, finding.is_of_cuda, *waits, *gives);
}

}  // namespace warpz
