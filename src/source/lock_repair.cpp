// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/lock_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "findings/source_text.hpp"
#include "source/fence_repair.hpp"
#include "source/source_patch.hpp"
#include "source/statement_words.hpp"

namespace warpz {
namespace {

class lock_search {
 public:
  explicit lock_search(std::string_view text)
      : outline_(text), all_(outline_.tokens()), words_(outline_), patch_(outline_) {}

  std::optional<source_repair> find(unsigned line) {
    const std::optional<source_statement> loop = loop_at(line);
    if (!loop) return {};
    const auto taken = std::find_if(at(loop->first), at(loop->last), is_atomic);
    if (taken == at(loop->last)) return {};
    const auto take = static_cast<std::size_t>(taken - all_.begin());
    const source_scope function = outline_.around(take).front();
    std::vector<std::size_t> gifts, functions;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const bool is_of_lock = is_atomic(all_[i]) && (i < loop->first || i > loop->last) && operand(i) == operand(take);
      const std::vector<source_scope> around = is_of_lock ? outline_.around(i) : std::vector<source_scope>();
      if (around.empty()) continue;
      if (around.front().open == function.open) {
        if (i > loop->last) gifts.push_back(i);
      } else if (std::find(functions.begin(), functions.end(), around.front().header) == functions.end()) {
        functions.push_back(around.front().header);
      }
    }
    if (!gifts.empty()) {
      give_back(take, gifts);
    } else {
      for (const std::size_t each : functions) add(gifts, words_.calls_of(each));
      for (const std::size_t call : words_.calls_of(function.header)) give_back(call, gifts);
    }
    const std::optional<std::vector<line_edit>> edits = patch_.edits();
    if (exits_.empty() || !edits) return {};
    return source_repair{
        "", *edits,
        fmt::format("Who leaves in line {} keeps the lock that is taken in line {}, and the others wait\n"
                    "  forever. Give it back on each way out, by {}.",
                    fmt::join(exits_, " and line "), outline_.line_of(take), gift_)};
  }

 private:
  std::vector<token>::const_iterator at(std::size_t number) const {
    return all_.begin() + static_cast<std::ptrdiff_t>(number);
  }

  static void add(std::vector<std::size_t>& all, const std::vector<std::size_t>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  /// The loop in which a lane waits at a line.
  std::optional<source_statement> loop_at(unsigned line) const {
    const std::optional<std::size_t> number = outline_.token_at(line, 0);
    const std::vector<source_scope> scopes = number ? outline_.around(*number) : std::vector<source_scope>();
    for (std::size_t i = scopes.size(); i-- > 0;) {
      const auto each = outline_.statement_at(scopes[i], *number);
      if (!each) return {};
      if (outline_.has_word({each->first, each->first}, {"while", "do", "for"})) return each;
    }
    return {};
  }

  /// What an atomic is called on.
  std::string_view operand(std::size_t atomic) const {
    if (atomic + 2 >= all_.size() || !all_[atomic + 1].is("(")) return "";
    const std::size_t close = closing_bracket(all_, atomic + 1);
    std::size_t last = atomic + 2;
    int depth = 0;
    for (; last < close; ++last) {
      if (all_[last].is("(") || all_[last].is("[")) ++depth;
      if (all_[last].is(")") || all_[last].is("]")) --depth;
      if (depth == 0 && all_[last].is(",")) break;
    }
    return last > atomic + 2 && last < all_.size() ? outline_.text(atomic + 2, last - 1) : "";
  }

  /// Before each exit between where a lock is taken and where it is given back at last.
  void give_back(std::size_t take, const std::vector<std::size_t>& gifts) {
    const std::vector<source_scope> scopes = outline_.around(take);
    const auto taken = outline_.statement_at(scopes.back(), take);
    if (!taken || words_.is_preprocessed(scopes.front())) return;
    std::vector<std::size_t> behind;
    std::copy_if(gifts.begin(), gifts.end(), std::back_inserter(behind),
                 [&](std::size_t each) { return taken->last < each && each < scopes.front().close; });
    if (behind.empty()) return;
    const std::size_t last = *std::max_element(behind.begin(), behind.end());
    const auto gift = outline_.statement_at(outline_.around(last).back(), last);
    if (!gift || outline_.line_of(gift->first) != outline_.line_of(gift->last) ||
        outline_.has_word(*gift, {"if", "return", "="}))
      return;
    gift_ = outline_.text(gift->first, gift->last - 1);
    // With its fence.
    const bool has_fence = gift->first >= 4 && is_fence(all_[gift->first - 4]) && all_[gift->first - 1].is(";");
    const std::string text = fmt::format("{}{};", has_fence ? "__threadfence(); " : "", gift_);
    for (std::size_t i = taken->last + 1; i < last; ++i) {
      const bool is_round =
          (all_[i].is("break") || all_[i].is("continue")) && words_.leaves(i, {taken->last + 1, last});
      if ((!all_[i].is("return") && !is_round) || is_given_before(i, behind) || !knows(i, *gift, last)) continue;
      leave(i, text);
    }
  }

  /// Whether a lane that comes to an exit has given the lock back on the way.
  bool is_given_before(std::size_t exit, const std::vector<std::size_t>& gifts) const {
    return std::any_of(gifts.begin(), gifts.end(), [&](std::size_t each) {
      const source_scope scope = outline_.around(each).back();
      const auto statement = outline_.statement_at(scope, each);
      return each < exit && scope.open < exit && exit < scope.close && statement && !all_[statement->first].is("if");
    });
  }

  /// Whether what gives it back uses nothing that is declared behind the exit.
  bool knows(std::size_t exit, const source_statement& gift, std::size_t last) const {
    for (const source_scope& scope : outline_.around(last)) {
      for (const source_statement& each : outline_.statements_in(scope)) {
        const bool is_behind = exit < each.first && each.last < last;
        const source_declaration declared = is_behind ? words_.declared_in(each) : source_declaration{};
        if (!declared.names.empty() && outline_.has_word(gift, declared.names)) return false;
      }
    }
    return true;
  }

  void leave(std::size_t exit, const std::string& text) {
    std::size_t end = exit;
    while (!all_[end].is(";")) ++end;
    const bool has_value = end > exit + 1;
    if (has_value && !words_.is_pure({exit + 1, end - 1})) {
      patch_.put_before(exit, fmt::format("{{ const auto result = {}; {} ", outline_.text(exit + 1, end - 1), text));
      patch_.replace(exit + 1, end - 1, "result");
    } else {
      patch_.put_before(exit, fmt::format("{{ {} ", text));
    }
    patch_.put_behind(end, " }");
    exits_.push_back(outline_.line_of(exit));
  }

  const source_outline outline_;
  const std::vector<token>& all_;
  const statement_words words_;
  source_patch patch_;
  std::vector<unsigned> exits_;  ///< lines
  std::string gift_;
};

}  // namespace

std::optional<source_repair> lock_repair(std::string_view text, unsigned line) { return lock_search(text).find(line); }

std::optional<source_repair> lock_repair(const symbolized_finding& finding, const code_location& code) {
  for (const source_line& each : finding.stack) {
    const std::string_view text = each.line != 0 ? file_text(code, each.file) : "";
    std::optional<source_repair> found = text.empty() ? std::nullopt : lock_repair(text, each.line);
    if (!found) continue;
    found->file = each.file;
    return found;
  }
  return {};
}

}  // namespace warpz
