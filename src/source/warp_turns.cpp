// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/warp_turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "source/fence_repair.hpp"
#include "source/lane_votes.hpp"
#include "source/source_patch.hpp"
#include "source/statement_words.hpp"

namespace warpz {
namespace {

class turn_search {
 public:
  turn_search(const source_outline& outline, const std::string& file, bool is_of_cuda)
      : outline_(outline),
        all_(outline.tokens()),
        words_(outline),
        file_(file),
        is_of_cuda_(is_of_cuda),
        patch_(outline) {}

  std::optional<source_repair> of_lanes(std::size_t waiting, std::size_t giving) {
    const std::vector<source_scope> waits = outline_.around(waiting), gives = outline_.around(giving);
    if (waits.empty() || gives.empty()) return {};
    const source_scope& giver = gives.front();
    const bool is_here = waits.front().open == giver.open;
    const bool is_of_object = giver.header != 0 && all_[giver.header - 1].is("~");
    gifts_ = is_here ? calls_like(giving) : words_.calls_of(giver.header);
    std::vector<std::size_t> begins{waiting};
    if (!is_here) begins = is_of_object ? objects_of(giver) : words_.calls_of(waits.front().header);
    for (const std::size_t each : begins) {
      const std::optional<source_scope> scope = is_here ? scope_with_gift(each) : outline_.around(each).back();
      const auto first = scope ? outline_.statement_at(*scope, each) : std::nullopt;
      // A call in a branch without braces.
      if (!first || (!is_here && outline_.has_word({first->first, each}, {"if", "for", "while", "do"}))) return {};
      std::vector<source_statement> behind = outline_.statements_in(*scope);
      std::erase_if(behind, [&](const source_statement& one) { return one.first <= first->last; });
      std::size_t count = is_of_object ? behind.size() : 0;
      for (std::size_t i = 0; i < behind.size(); ++i) {
        if (is_given_in(behind[i])) count = std::max(count, i + 1);
      }
      if (count == 0) return {};
      const std::size_t begin = is_here ? begin_of_ticket(*first, *scope) : first->first;
      const auto part = whole({begin, behind[count - 1].last}, *scope);
      if (!part || !put_turns(*part, "", "warpSize", fmt::format("{} == turn", lane()))) return {};
    }
    return repair(fmt::format(
        "Where a warp goes on as one, as on AMD's GPUs and NVIDIA's before Volta, the lane that has left the\n"
        "  loop waits for the others. Let the lanes go through lines {} one after the\n"
        "  other: by a loop over the lanes, and __syncwarp() in each round.",
        fmt::join(parts_, " and ")));
  }

  std::optional<source_repair> of_branches(std::size_t waiting, std::size_t giving) {
    for (const std::size_t wait : sites_of(waiting, depth)) {
      for (const std::size_t gift : sites_of(giving, depth)) {
        if (put_before(wait, gift)) {
          return repair(fmt::format(
              "Where a warp goes on as one, as on AMD's GPUs and NVIDIA's before Volta, the branch with the loop may\n"
              "  run before the other one, and then waits forever. Let the lanes that give go through lines\n"
              "  {} first, and the others behind a __syncwarp().",
              fmt::join(parts_, " and ")));
        }
        patch_.clear();
        votes_.clear();
        parts_.clear();
      }
    }
    return {};
  }

 private:
  static constexpr int depth = 3;

  std::optional<source_repair> repair(std::string advice) const {
    std::optional<std::vector<line_edit>> edits = patch_.edits();
    if (parts_.empty() || !edits) return {};
    for (const line_edit& vote : votes_) {
      if (vote.replaces && std::any_of(edits->begin(), edits->end(),
                                       [&](const line_edit& each) { return each.replaces && each.line == vote.line; }))
        return {};
    }
    edits->insert(edits->begin(), votes_.begin(), votes_.end());
    return source_repair{file_, std::move(*edits), std::move(advice)};
  }

  std::string lane() const {
    return is_of_cuda_ ? "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize"
                       : "__lane_id()";
  }

  /// Where variables of a destructor's class are declared.
  std::vector<std::size_t> objects_of(const source_scope& destructor) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i + 1 < all_.size(); ++i) {
      if (!all_[i].is(all_[destructor.header].text) || (i != 0 && all_[i - 1].is("~"))) continue;
      const bool is_named = all_[i + 1].kind == token_kind::word || all_[i + 1].is("<");
      if (is_named && !outline_.around(i).empty()) found.push_back(i);
    }
    return found;
  }

  /// A token, and the calls by which its function gets there.
  std::vector<std::size_t> sites_of(std::size_t number, int calls) const {
    std::vector<std::size_t> found{number};
    const std::vector<source_scope> scopes = outline_.around(number);
    if (scopes.empty() || scopes.front().is_kernel || calls == 0) return found;
    for (const std::size_t call : words_.calls_of(scopes.front().header)) {
      const std::vector<std::size_t> further = sites_of(call, calls - 1);
      found.insert(found.end(), further.begin(), further.end());
    }
    return found;
  }

  /// The calls of the function with the same operands.
  std::vector<std::size_t> calls_like(std::size_t call) const {
    const auto text_of = [this](std::size_t each) {
      const std::size_t close = all_[each + 1].is("(") ? closing_bracket(all_, each + 1) : all_.size();
      return close < all_.size() ? outline_.text(each, close) : std::string_view();
    };
    std::vector<std::size_t> found;
    const source_scope function = outline_.around(call).front();
    for (std::size_t i = function.open; i < function.close; ++i) {
      if (all_[i].is(all_[call].text) && !text_of(i).empty() && text_of(i) == text_of(call)) found.push_back(i);
    }
    return found;
  }

  bool is_given_in(const source_statement& part) const {
    return std::any_of(gifts_.begin(), gifts_.end(),
                       [&](std::size_t each) { return part.first <= each && each <= part.last; });
  }

  /// Where the loop stands in which a lane waits, or the branch around it behind which lanes give.
  std::optional<source_scope> scope_with_gift(std::size_t number) const {
    const std::vector<source_scope> scopes = outline_.around(number);
    bool is_loop = false;
    for (std::size_t i = scopes.size(); i-- > 0;) {
      const auto each = outline_.statement_at(scopes[i], number);
      if (!each) return {};
      is_loop = is_loop || outline_.has_word({each->first, number}, {"while", "do", "for"});
      const bool has_gift = std::any_of(gifts_.begin(), gifts_.end(),
                                        [&](std::size_t gift) { return each->last < gift && gift < scopes[i].close; });
      if (is_loop && has_gift) return scopes[i];
      if (is_loop && scopes[i].kind != scope_kind::branch) return {};
    }
    return {};
  }

  /// With the statement by which a lane draws what it waits for.
  std::size_t begin_of_ticket(const source_statement& loop, const source_scope& scope) const {
    for (const source_statement& each : outline_.statements_in(scope)) {
      const std::vector<std::string_view> names = words_.declared_in(each).names;
      const bool draws = std::any_of(all_.begin() + static_cast<std::ptrdiff_t>(each.first),
                                     all_.begin() + static_cast<std::ptrdiff_t>(each.last), is_atomic);
      if (each.last < loop.first && draws && !names.empty() && outline_.has_word(loop, names)) return each.first;
    }
    return loop.first;
  }

  /// With what uses the variables that it declares; nothing where lanes leave it or meet in it.
  std::optional<source_statement> whole(source_statement part, const source_scope& scope) const {
    const std::vector<source_statement> all = outline_.statements_in(scope);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_in = part.first <= all[i].first && all[i].last <= part.last;
      const source_declaration declared = is_in ? words_.declared_in(all[i]) : source_declaration{};
      for (std::size_t k = i + 1; k < all.size() && !declared.names.empty(); ++k) {
        if (outline_.has_word(all[k], declared.names)) part.last = std::max(part.last, all[k].last);
      }
    }
    for (std::size_t i = part.first; i <= part.last; ++i) {
      const bool leaves = (all_[i].is("break") || all_[i].is("continue")) && words_.leaves(i, part);
      const bool is_meeting = is_block_barrier(all_[i]) || words_.is_call_of_warp(i) ||
                              all_[i].text.starts_with("__sync") || all_[i].is("sync");
      if (leaves || is_meeting || all_[i].is("goto") || all_[i].is("__shared__")) return {};
      if (all_[i].is("return") && !may_return(i, scope)) return {};
    }
    return part;
  }

  /// Whether a token stands in a loop that is the statement itself, and in no other one.
  bool may_break(std::size_t exit, const source_statement& statement) const {
    return outline_.has_word({statement.first, statement.first}, {"for", "while", "do"}) &&
           !outline_.has_word({statement.first + 1, exit}, {"for", "while", "do", "switch"});
  }

  /// Whether a lane may go on in its turn instead, without anything left to do there.
  bool may_return(std::size_t exit, const source_scope& scope) const {
    const auto statement = outline_.statement_at(scope, exit);
    return statement && all_[exit + 1].is(";") &&
           (may_break(exit, *statement) || words_.is_last_in(exit, *statement)) &&
           std::any_of(gifts_.begin(), gifts_.end(), [&](std::size_t each) {
             const source_scope inner = outline_.around(each).back();
             const auto gift = outline_.statement_at(inner, each);
             return each < exit && inner.open < exit && exit < inner.close && gift && !all_[gift->first].is("if");
           });
  }

  /// A flag in place of each return, which is made behind the turns; what follows asks for it.
  std::string put_returns(const source_statement& part) {
    std::string name, ends;
    bool is_asked = true;
    for (const source_statement& each : outline_.statements_in(outline_.around(part.first).back())) {
      if (each.first < part.first || part.last < each.last) continue;
      if (!is_asked) {
        patch_.put_lines_before(each.first, fmt::format("if (!{}) {{", name));
        ends += ends.empty() ? "}" : "\n}";
        is_asked = true;
      }
      for (std::size_t i = each.first; i < each.last; ++i) {
        if (!all_[i].is("return")) continue;
        if (name.empty()) name = words_.unused_name("leaves");
        patch_.replace(i, i + 1, may_break(i, each) ? fmt::format("{{ {} = true; break; }}", name) : name + " = true;");
        is_asked = false;
      }
    }
    if (!ends.empty()) patch_.put_lines_behind(part.last, ends);
    return name;
  }

  bool put_turns(const source_statement& part, const std::string& before, std::string_view count,
                 const std::string& condition) {
    const std::vector<source_scope> scopes = outline_.around(part.first);
    if (words_.is_preprocessed(scopes.front())) return false;
    const auto votes = votes_before(outline_, part.first, words_for_masks(is_of_cuda_), names_);
    if (!votes) return false;
    votes_.insert(votes_.end(), votes->edits.begin(), votes->edits.end());
    const std::string lanes = votes->edits.empty() ? std::string(mask_of_all_lanes(is_of_cuda_)) : votes->lanes;
    const std::string leaves = put_returns(part),
                      flag = leaves.empty() ? "" : fmt::format("bool {} = false;\n", leaves);
    patch_.put_lines_before(part.first, fmt::format("{}{}for (unsigned turn = 0; turn < {}; ++turn) {{\n  if ({}) {{",
                                                    flag, before, count, condition));
    patch_.put_lines_behind(part.last, fmt::format("  }}\n  __syncwarp({});\n}}{}", lanes,
                                                   leaves.empty() ? "" : fmt::format("\nif ({}) return;", leaves)));
    parts_.push_back(fmt::format("{} to {}", outline_.line_of(part.first), outline_.line_of(part.last)));
    return std::none_of(all_.begin(), all_.end(), [](const token& each) { return each.is("turn"); });
  }

  /// What a lane asks on its way into the arm of a chain of branches that has a token.
  struct arm {
    std::string condition;
    source_statement body;
  };

  std::optional<arm> arm_at(source_statement chain, std::size_t number) const {
    std::string before;
    while (all_[chain.first].is("if")) {
      const std::optional<source_branch> branch = words_.branch_of(chain);
      if (!branch || !words_.is_pure(branch->condition)) return {};
      const std::string asked = fmt::format("({})", outline_.text(branch->condition.first, branch->condition.last));
      const std::string_view join = before.empty() ? "" : " && ";
      if (branch->then.first <= number && number <= branch->then.last)
        return arm{fmt::format("{}{}{}", before, join, asked), branch->then};
      if (!branch->other || number < branch->other->first) return {};
      before += fmt::format("{}!{}", join, asked);
      chain = *branch->other;
    }
    return before.empty() ? std::nullopt : std::optional(arm{before, chain});
  }

  bool put_before(std::size_t wait, std::size_t gift) {
    const std::vector<source_scope> scopes = outline_.around(wait);
    for (std::size_t i = scopes.size(); i-- > 0;) {
      const source_scope& scope = scopes[i];
      if (gift < scope.open || scope.close < gift) continue;
      const auto first = outline_.statement_at(scope, wait), last = outline_.statement_at(scope, gift);
      if (!first || !last || last->first < first->first) return false;
      const std::optional<arm> waits = arm_at(*first, wait), gives = arm_at(*last, gift);
      if (!waits || !gives || waits->condition == gives->condition) return false;
      const bool is_between = std::any_of(all_.begin() + static_cast<std::ptrdiff_t>(first->last),
                                          all_.begin() + static_cast<std::ptrdiff_t>(last->first),
                                          [](const token& each) { return each.is("while") || each.is("do"); });
      if (may_wait(gives->body, depth) || (first->last < last->first && is_between)) return false;
      // What it asks has to be known before the first one.
      for (const source_statement& each : outline_.statements_in(scope)) {
        const bool is_in = first->first <= each.first && each.last < last->first;
        for (const std::string_view name : is_in ? words_.declared_in(each).names : std::vector<std::string_view>())
          if (gives->condition.find(name) != std::string::npos) return false;
      }
      const auto part = whole({first->first, last->last}, scope);
      const std::string name = words_.unused_name("gives");
      return part && put_turns(*part, fmt::format("const bool {} = {};\n", name, gives->condition), "2",
                               fmt::format("(turn == 0) == {}", name));
    }
    return false;
  }

  /// Whether it has a loop with an atomic, also in a function that it calls.
  bool may_wait(const source_statement& part, int calls) const {
    for (std::size_t i = part.first; i <= part.last; ++i) {
      if (all_[i].is("while") || all_[i].is("do")) return true;
      if (i + 1 >= all_.size() || !all_[i + 1].is("(")) continue;
      for (std::size_t k = 0; k < all_.size() && calls != 0; ++k) {
        if (!all_[k].is(all_[i].text) || k == i || !all_[k + 1].is("(")) continue;
        const std::size_t close = closing_bracket(all_, k + 1);
        const std::vector<source_scope> within = close + 2 < all_.size() && all_[close + 1].is("{")
                                                     ? outline_.around(close + 2)
                                                     : std::vector<source_scope>();
        if (!within.empty() && within.front().header == k &&
            may_wait({within.front().open, within.front().close}, calls - 1))
          return true;
      }
    }
    return false;
  }

  const source_outline& outline_;
  const std::vector<token>& all_;
  statement_words words_;
  const std::string& file_;
  const bool is_of_cuda_;
  source_patch patch_;
  std::vector<std::size_t> gifts_;  ///< calls that give what others wait for
  std::vector<line_edit> votes_;
  std::vector<std::string> names_, parts_;
};

}  // namespace

std::optional<source_repair> turns_of_lanes(const source_outline& outline, const std::string& file, bool is_of_cuda,
                                            std::size_t waiting, std::size_t giving) {
  return turn_search(outline, file, is_of_cuda).of_lanes(waiting, giving);
}

std::optional<source_repair> turns_of_branches(const source_outline& outline, const std::string& file, bool is_of_cuda,
                                               std::size_t waiting, std::size_t giving) {
  return turn_search(outline, file, is_of_cuda).of_branches(waiting, giving);
}

}  // namespace warpz
