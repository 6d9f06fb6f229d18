// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/meeting_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/lane_votes.hpp"
#include "source/source_patch.hpp"
#include "source/source_switch.hpp"
#include "source/statement_words.hpp"

namespace warpz {
namespace {

enum class level_kind { function, loop, round, branch };

/// What the threads that are still there have in common.
struct level {
  level_kind kind;
  std::string flag;  ///< empty: all are there
};

/// What stands in one branch by a flag.
struct branch_part {
  std::size_t first, last;              ///< tokens
  std::string before;                   ///< what is declared in front of it
  std::vector<std::string_view> names;  ///< what is declared in it
};

class meeting_search {
 public:
  meeting_search(const source_outline& outline, meeting kind)
      : outline_(outline),
        all_(outline.tokens()),
        words_(outline),
        kind_(kind),
        patch_(outline),
        vote_(kind == meeting::of_block  ? "__syncthreads_or("
              : kind == meeting::of_warp ? "__any("
                                         : fmt::format("__any_sync({}, ", mask_of_all_lanes(true))) {}

  std::optional<source_repair> find(std::size_t number) {
    const std::vector<source_scope> scopes = outline_.around(number);
    if (scopes.empty() || !words_.is_called_by_all(scopes.front()) || words_.is_preprocessed(scopes.front())) return {};
    function_ = scopes.front();
    for (std::size_t i = function_.open; i < function_.close; ++i) {
      if (is_meeting(i)) last_ = i;
    }
    levels_ = {{level_kind::function, ""}};
    if (last_ == 0 || !pass(outline_.statements_in(function_), function_.close)) return {};
    std::optional<std::vector<line_edit>> edits = patch_.edits();
    if (!edits || edits->empty()) return {};
    return source_repair{"", std::move(*edits), advice(number)};
  }

 private:
  std::string advice(std::size_t number) const {
    const bool is_block = kind_ == meeting::of_block;
    std::string text =
        is_block
            ? fmt::format("Every thread of the block has to reach the barrier of line {}", outline_.line_of(number))
            : fmt::format("All lanes of the warp have to reach the call of line {}", outline_.line_of(number));
    if (!votes_.empty()) {
      text += fmt::format(
          ", and as often:\n  let the loop of line {} go on until all are done, by {}, and put a branch around\n"
          "  what only those do that are not done.",
          fmt::join(votes_, " and that of line "), vote_.substr(0, vote_.find('(')));
      return text;
    }
    if (!exits_.empty()) {
      return text + fmt::format(": do not leave in\n  line {}, and put a branch around what follows, but for the {}.",
                                fmt::join(exits_, " and line "), is_block ? "barriers" : "calls");
    }
    return text + fmt::format(": end the branch before it, and\n  open it again behind it{}.",
                              is_block ? "" : ", where its result is used");
  }

  bool is_meeting(std::size_t number) const {
    return is_block_barrier(all_[number]) || (kind_ != meeting::of_block && words_.is_call_of_warp(number));
  }

  bool has_meeting(const source_statement& each) const {
    for (std::size_t i = each.first; i <= each.last; ++i) {
      if (is_meeting(i)) return true;
    }
    return false;
  }

  const std::string& flag() const { return levels_.back().flag; }

  /// Statements of one scope, that ends at `end`.
  bool pass(const std::vector<source_statement>& statements, std::size_t end) {
    for (std::size_t i = 0; i < statements.size(); ++i) {
      const source_statement& each = statements[i];
      const bool meets = has_meeting(each);
      const std::vector<std::size_t> exits = exits_in(each);
      const bool leaves = !exits.empty() && (each.first < last_ || levels_.size() > 1);
      if (!meets && !leaves) {
        if (!add_plain(each, next_meeting(statements, i), end)) return false;
        continue;
      }
      if (!close_branch() || !declare_flag(each, exits)) return false;
      if (!meets) {
        if (!leave(each, exits)) return false;
      } else if (!words_.is_barrier_alone(each) && !enter(each, next_meeting(statements, i), end)) {
        return false;
      }
    }
    return close_branch();
  }

  /// Where the branch that is open behind this statement has to be closed at the latest.
  std::size_t next_meeting(const std::vector<source_statement>& statements, std::size_t from) const {
    for (std::size_t i = from + 1; i < statements.size(); ++i) {
      if (has_meeting(statements[i]) || !exits_in(statements[i]).empty()) return statements[i].first;
    }
    return all_.size();
  }

  /// What no more than those that are there do.
  bool add_plain(const source_statement& each, std::size_t next, std::size_t end) {
    if (flag().empty()) return true;
    if (words_.calls_meeting(each)) return false;
    const source_declaration declared = words_.declared_in(each);
    const bool is_needed = next < end && uses({next, end}, declared.names);
    const bool may_stay = declared.is_for_all || (is_needed && words_.is_harmless({declared.first_name, each.last}));
    if (may_stay && (!open_ || !declared.type)) {
      // What the branch has declared so far ends with it.
      return !open_ || (!uses({each.first, end}, open_->names) && close_branch());
    }
    if (!open_) open_ = branch_part{each.first, each.last, "", {}};
    open_->last = each.last;
    if (!is_needed) {
      open_->names.insert(open_->names.end(), declared.names.begin(), declared.names.end());
      return true;
    }
    // What stays in the branch is not known in front of it.
    if (!declared.type || uses(declared.asked_for_type, open_->names)) return false;
    open_->before += fmt::format("{} {}{{}};\n", *declared.type, fmt::join(declared.names, "{}, "));
    patch_.replace(each.first, declared.first_name - 1, "");
    for (const std::string_view name : declared.names) {
      for (std::size_t i = declared.first_name; i < each.last; ++i) {
        if (all_[i].is(name) && all_[i + 1].is("{")) patch_.put_behind(i, " = ");
      }
    }
    return true;
  }

  bool uses(const source_statement& part, const std::vector<std::string_view>& names) const {
    return !names.empty() && outline_.has_word(part, names);
  }

  bool close_branch() {
    if (open_) {
      patch_.put_lines_before(open_->first, fmt::format("{}if ({}) {{", open_->before, flag()));
      patch_.put_lines_behind(open_->last, "}");
    }
    open_.reset();
    return true;
  }

  /// The tokens in a statement that leave it, by any way.
  std::vector<std::size_t> exits_in(const source_statement& each) const {
    std::vector<std::size_t> found;
    for (std::size_t i = each.first; i <= each.last; ++i) {
      const bool is_round = all_[i].is("break") || all_[i].is("continue");
      if (all_[i].is("return") || all_[i].is("goto") || (is_round && words_.leaves(i, each))) found.push_back(i);
    }
    return found;
  }

  /// A flag of the function, where threads return from within.
  bool declare_flag(const source_statement& each, const std::vector<std::size_t>& exits) {
    const bool returns =
        std::any_of(exits.begin(), exits.end(), [this](std::size_t i) { return all_[i].is("return"); });
    if (levels_.size() > 1 || !levels_.front().flag.empty() || !returns) return true;
    levels_.front().flag = words_.unused_name("stays");
    patch_.put_lines_before(each.first, fmt::format("bool {} = true;", levels_.front().flag));
    is_new_ = true;
    return true;
  }

  /// In place of exits the flags are taken back; what follows asks for them.
  bool leave(const source_statement& each, const std::vector<std::size_t>& exits) {
    if (words_.calls_meeting(each)) return false;
    for (const std::size_t exit : exits) {
      if (all_[exit].is("goto") || !all_[exit + 1].is(";") || !words_.is_last_in(exit, each)) return false;
      const level_kind of = all_[exit].is("return")  ? level_kind::function
                            : all_[exit].is("break") ? level_kind::loop
                                                     : level_kind::round;
      std::size_t from = levels_.size();
      while (from != 0 && levels_[from - 1].kind != of) --from;
      if (from == 0) return false;
      std::vector<std::string> names;
      for (std::size_t i = from - 1; i < levels_.size(); ++i) {
        if (levels_[i].flag.empty()) return false;
        if (std::find(names.begin(), names.end(), levels_[i].flag) == names.end()) names.push_back(levels_[i].flag);
      }
      patch_.replace(exit, exit + 1, fmt::format("{} = false;", fmt::join(names, " = ")));
      exits_.push_back(outline_.line_of(exit));
    }
    if (!std::exchange(is_new_, false) && !flag().empty()) open_ = branch_part{each.first, each.last, "", {}};
    return close_branch();
  }

  bool enter(const source_statement& each, std::size_t next, std::size_t end) {
    is_new_ = false;
    const token& word = all_[each.first];
    if (word.is("for") || word.is("while") || word.is("do")) return enter_loop(each);
    if (word.is("if")) return lift_from(each, next, end) || enter_branch(each);
    if (word.is("switch")) return enter_switch(each);
    if (kind_ != meeting::of_block) return flag().empty() || lift_calls(each, each, next, end);
    return word.is("{") && pass(words_.statements_of({each.first, each.last}), each.last);
  }

  bool enter_loop(const source_statement& each) {
    const std::optional<source_loop> loop = words_.loop_of(each);
    if (!loop || has_meeting(loop->head)) return false;
    if (kind_ != meeting::of_block && !flag().empty() && !words_.reduced_in(*loop).empty()) return reduce(*loop, each);
    const std::vector<source_statement> body = words_.statements_of(loop->body);
    const auto has = [&](std::string_view word) {
      return std::any_of(body.begin(), body.end(), [&](const source_statement& one) {
        const std::vector<std::size_t> exits = exits_in(one);
        return std::any_of(exits.begin(), exits.end(), [&](std::size_t i) { return all_[i].is(word); });
      });
    };
    const bool counts_alike = words_.counts_alike(*loop, function_), breaks = has("break");
    const std::string outer = flag().empty() ? "true" : flag();
    std::string name = flag();
    if (!counts_alike || breaks) {
      name = words_.unused_name("in_loop");
      patch_.put_lines_before(each.first, fmt::format("bool {} = {};", name, outer));
    }
    if (!counts_alike && !vote_in(*loop, name)) return false;
    levels_.push_back({level_kind::loop, name});
    const bool continues = has("continue") && !body.empty();
    if (continues) {
      const std::string round = words_.unused_name("in_round");
      patch_.put_lines_before(body.front().first, fmt::format("bool {} = {};", round, name.empty() ? "true" : name));
      levels_.push_back({level_kind::round, round});
    }
    const bool is_possible = pass_body(loop->body);
    if (continues) levels_.pop_back();
    levels_.pop_back();
    return is_possible;
  }

  /// With braces, if it has none.
  bool pass_body(const source_statement& body) {
    const bool has_braces = all_[body.first].is("{");
    if (!has_braces) patch_.put_lines_before(body.first, "{");
    if (!pass(words_.statements_of(body), body.last)) return false;
    if (!has_braces) patch_.put_lines_behind(body.last, "}");
    return true;
  }

  /// All go on as long as one of them does.
  bool vote_in(const source_loop& loop, const std::string& name) {
    const bool is_for = all_[loop.head.first].is("for");
    if (is_for && !flag().empty() && !words_.is_harmless(loop.begin)) return false;
    // The vote is not one of the whole block.
    const bool has_barrier = kind_ != meeting::of_block && outline_.has_word(loop.body, block_barrier_words);
    if (words_.declares(loop.condition) || has_barrier) return false;
    const bool is_empty = loop.condition.last < loop.condition.first;
    const std::string_view asked = is_empty ? "" : outline_.text(loop.condition.first, loop.condition.last);
    if (is_empty) {
      patch_.put_before(loop.condition.first, fmt::format(" {}{})", vote_, name));
    } else {
      const bool is_endless = asked == "true" || asked == "1";
      patch_.replace(
          loop.condition.first, loop.condition.last,
          is_endless ? fmt::format("{}{})", vote_, name) : fmt::format("{0}{1} = {1} && ({2}))", vote_, name, asked));
    }
    const bool has_step = loop.step.first <= loop.step.last;
    if (has_step && !words_.is_own_step(loop)) {
      patch_.replace(loop.step.first, loop.step.last,
                     fmt::format("{} ? (void)({}) : (void)0", name, outline_.text(loop.step.first, loop.step.last)));
    }
    votes_.push_back(outline_.line_of(loop.head.first));
    return true;
  }

  bool enter_branch(const source_statement& each) {
    const std::optional<source_branch> branch = words_.branch_of(each);
    if (!branch || has_meeting(branch->condition)) return false;
    if (words_.is_alike(branch->condition, function_)) {
      return pass_body(branch->then) && (!branch->other || pass_body(*branch->other));
    }
    if (words_.declares(branch->condition)) return false;
    const std::string before = flag().empty() ? "" : flag() + " && ";
    const std::string asked(outline_.text(branch->condition.first, branch->condition.last));
    const std::string name = words_.unused_name("in_branch");
    patch_.put_lines_before(each.first, fmt::format("bool {} = {}({});", name, before, asked));
    const std::string other = branch->other ? words_.unused_name("in_else") : "";
    if (branch->other) {
      // Another `if` there asks once more, so that its arms are in braces of their own.
      patch_.put_lines_before(each.first, fmt::format("bool {} = {}!{};", other, before, name));
      patch_.replace(branch->otherwise, branch->otherwise, "");
    }
    patch_.replace(each.first, branch->close, "");
    levels_.push_back({level_kind::branch, name});
    if (!pass_body(branch->then)) return false;
    levels_.back().flag = other;
    const bool is_possible = !branch->other || pass_body(*branch->other);
    levels_.pop_back();
    return is_possible;
  }

  /// Each case becomes a branch of its own.
  bool enter_switch(const source_statement& each) {
    if (words_.is_alike({each.first + 2, closing_bracket(all_, each.first + 1) - 1}, function_)) return flag().empty();
    const std::optional<source_switch> cases = switch_in(outline_, each);
    if (!cases || words_.declares(cases->condition) || outline_.has_word(each, {"return", "goto", "continue"}))
      return false;
    const std::string chosen = words_.unused_name("chosen"), before = flag().empty() ? "" : flag() + " && ";
    patch_.put_lines_before(each.first, fmt::format("const auto {} = {};", chosen,
                                                    outline_.text(cases->condition.first, cases->condition.last)));
    patch_.replace(cases->head.first, cases->head.last, "");
    for (const source_case& one : cases->cases) {
      const std::string name = words_.unused_name("in_case");
      patch_.put_lines_before(
          each.first, fmt::format("const bool {} = {}{};", name, before, cases->condition_of(outline_, one, chosen)));
      for (const source_statement& label : one.labels) patch_.replace(label.first, label.last, "");
      if (one.leave) patch_.replace(one.leave->first, one.leave->last, "");
      const auto body = outline_.statements_in({scope_kind::other, one.body.first, one.body.first, one.body.last});
      for (std::size_t i = one.body.first + 1; i < one.body.last; ++i) {
        if (all_[i].is("break") && words_.leaves(i, {one.body.first + 1, one.body.last})) return false;
      }
      levels_.push_back({level_kind::branch, name});
      const bool is_possible = pass(body, one.body.last);
      levels_.pop_back();
      if (!is_possible) return false;
    }
    return true;
  }

  /// `if (C) x = __shfl(y, 3);` and an `if` that asks for a vote.
  bool lift_from(const source_statement& each, std::size_t next, std::size_t end) {
    const std::optional<source_branch> branch = kind_ != meeting::of_block ? words_.branch_of(each) : std::nullopt;
    if (!branch || branch->other || all_[branch->then.first].is("{")) return false;
    const bool is_asked = has_meeting(branch->condition);
    if (is_asked && has_meeting(branch->then)) return false;
    if (is_asked && flag().empty()) return true;
    const source_statement& part = is_asked ? branch->condition : branch->then;
    const bool is_vote = outline_.has_word(part, {"__ballot", "__any", "__all"});
    const bool is_nested = outline_.has_word({part.first, part.first}, {"if", "for", "while", "do"});
    return (is_asked || !is_vote) && !is_nested && lift_calls(each, part, next, end);
  }

  /// The calls of a part of a statement in front of it, for all lanes.
  bool lift_calls(const source_statement& each, const source_statement& part, std::size_t next, std::size_t end) {
    // In a loop, lanes that are elsewhere would be added up.
    const bool is_in_loop =
        std::any_of(levels_.begin(), levels_.end(), [](const level& one) { return one.kind == level_kind::loop; });
    if (is_in_loop && !flag().empty()) return false;
    std::vector<std::pair<source_statement, std::string>> calls;
    for (std::size_t i = part.first; i <= part.last; ++i) {
      if (!is_meeting(i)) continue;
      const std::optional<source_statement> call = words_.liftable(i, part);
      if (!call) return false;
      calls.emplace_back(*call, words_.unused_name("of_lanes"));
      i = call->last;
    }
    for (const auto& [call, name] : calls) {
      patch_.put_lines_before(each.first, fmt::format("const auto {} = {};", name, call_by_all(call)));
      patch_.replace(call.first, call.last, name);
    }
    return add_plain(each, next, end);
  }

  /// In a vote without a mask those that are elsewhere have no say.
  std::string call_by_all(const source_statement& call) const {
    const std::string_view name = all_[call.first].text;
    if (name != "__ballot" && name != "__any" && name != "__all")
      return std::string(outline_.text(call.first, call.last));
    return fmt::format("{}({}({}))", name, name == "__all" ? fmt::format("!{} || ", flag()) : flag() + " && ",
                       outline_.text(call.first + 2, call.last - 1));
  }

  /// `sum += __shfl_down(sum, offset)` in a loop: those that are elsewhere add nothing. To a maximum they bring what
  /// one of the others has.
  bool reduce(const source_loop& loop, const source_statement& each) {
    if (!words_.counts_alike(loop, function_)) return false;
    for (const auto& [name, keeps] : words_.reduced_in(loop)) {
      const std::string part = words_.unused_name("part");
      if (keeps) {
        const std::string there = words_.unused_name("there");
        const bool has_mask = kind_ == meeting::of_cuda_warp;
        const std::string mask = has_mask ? fmt::format("{}, ", mask_of_all_lanes(true)) : "";
        patch_.put_lines_before(
            each.first, fmt::format("const auto {0} = __ballot{1}({2}{3});\n"
                                    "auto {4} = __shfl{1}({2}{5}, {0} != 0 ? __ffs{6}({0}) - 1 : 0);\n"
                                    "if ({3}) {4} = {5};",
                                    there, has_mask ? "_sync" : "", mask, flag(), part, name, has_mask ? "" : "ll"));
      } else {
        patch_.put_lines_before(each.first, fmt::format("auto {} = {} ? {} : 0;", part, flag(), name));
      }
      for (std::size_t i = loop.body.first; i <= loop.body.last; ++i) {
        if (all_[i].is(name)) patch_.replace(i, i, part);
      }
      patch_.put_lines_behind(each.last, fmt::format("if ({}) {} = {};", flag(), name, part));
    }
    return true;
  }

  const source_outline& outline_;
  const std::vector<token>& all_;
  statement_words words_;
  const meeting kind_;
  source_patch patch_;
  const std::string vote_;  ///< its name and what stands before its operand
  source_scope function_{};
  std::size_t last_ = 0;  ///< of what all have to reach
  std::vector<level> levels_;
  std::optional<branch_part> open_;
  bool is_new_ = false;                  ///< the flag is true yet
  std::vector<unsigned> votes_, exits_;  ///< lines
};

}  // namespace

std::optional<source_repair> repair_of_meeting(const source_outline& outline, const std::string& file,
                                               std::size_t number, meeting kind) {
  std::optional<source_repair> found = meeting_search(outline, kind).find(number);
  if (found) found->file = file;
  return found;
}

}  // namespace warpz
