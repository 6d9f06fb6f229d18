// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/arrival_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "findings/lane_groups.hpp"
#include "source/early_exit.hpp"
#include "source/fence_repair.hpp"

namespace warpz {
namespace {

class arrival_search {
 public:
  arrival_search(const symbolized_finding& race, const source_outline& outline)
      : race_(race), outline_(outline), all_(outline.tokens()) {}

  std::optional<source_repair> find(std::string_view barrier) {
    const auto groups = groups_of(race_.record);
    const std::size_t writer = groups[0].state == WARPZ_LANE_WROTE ? 0 : 1;
    if (groups[writer].state != WARPZ_LANE_WROTE || groups[1 - writer].state != WARPZ_LANE_READ) return {};
    const auto written = statement_of(writer), read = statement_of(1 - writer);
    if (!written || !read || written->last >= read->first) return {};
    const std::vector<std::size_t> way = way_between(written->last, read->first);
    const auto of_atomic = [this](std::size_t each) { return is_atomic(all_[each]); };
    const auto first = std::find_if(way.begin(), way.end(), of_atomic);
    if (first == way.end()) return {};
    const auto last = std::find_if(way.rbegin(), way.rend(), of_atomic).base() - 1;
    const auto has = [this](auto from, auto to, auto holds) {
      return std::any_of(from, to, [&](std::size_t each) { return holds(all_[each]); });
    };
    const auto at = [&](std::size_t number) { return std::find(way.begin(), way.end(), number); };
    const auto telling = branch_of_one(*first, *written, *read), looking = branch_of_one(*last, *written, *read);
    const bool is_before =
        telling && may_be_another(groups[writer], *written) && !has(way.begin(), at(telling->first), is_block_barrier);
    const bool is_behind =
        looking && may_be_another(groups[1 - writer], *read) && !has(at(looking->last), way.end(), is_block_barrier);
    if (is_before) put_behind(telling->first - 1, telling->first, barrier);
    if (is_behind) put_behind(looking->last, looking->first, barrier);
    if (repair_.edits.empty() || !has_lines_) return {};
    repair_.advice =
        is_before ? fmt::format(
                        "Line {} lets other blocks go on as soon as one thread gets there, before all of its block\n"
                        "  have written.",
                        outline_.line_of(*first))
                  : fmt::format(
                        "In line {} one thread waits for other blocks, and the others of its block do not wait for\n"
                        "  it.",
                        outline_.line_of(*last));
    if (!has(way.begin(), first, is_fence)) put_behind(written->last, written->first, "__threadfence()");
    if (!has(last, way.end(), is_fence)) put_behind(read->first - 1, read->first, "__threadfence()");
    repair_.advice += fmt::format(" Put {}.", fmt::join(calls_, ", and "));
    repair_.file = race_.places.front().file;
    return std::move(repair_);
  }

 private:
  std::optional<source_statement> statement_of(std::size_t group) const {
    return outline_.statement_around(race_.places[group].line, race_.places[group].column);
  }

  /// The tokens from one to another, with those of functions with atomics that are called on the way.
  std::vector<std::size_t> way_between(std::size_t first, std::size_t last) const {
    std::vector<std::size_t> way;
    for (std::size_t i = first + 1; i < last; ++i) {
      way.push_back(i);
      if (!all_[i + 1].is("(")) continue;
      if (const std::optional<source_scope> called = function_named(all_[i].text, i)) {
        for (std::size_t k = called->open + 1; k < called->close; ++k) way.push_back(k);
      }
    }
    return way;
  }

  std::optional<source_scope> function_named(std::string_view name, std::size_t caller) const {
    for (std::size_t i = 0; i + 1 < all_.size(); ++i) {
      if (i == caller || !all_[i].is(name) || !all_[i + 1].is("(")) continue;
      std::size_t open = closing_bracket(all_, i + 1);
      while (open < all_.size() && !all_[open].is("{") && !all_[open].is(";")) ++open;
      if (open + 1 >= all_.size() || !all_[open].is("{")) continue;
      const std::vector<source_scope> around = outline_.around(open + 1);
      const bool is_function = !around.empty() && around.front().header == i;
      if (is_function && std::any_of(all_.begin() + static_cast<std::ptrdiff_t>(open),
                                     all_.begin() + static_cast<std::ptrdiff_t>(around.front().close), is_atomic))
        return around.front();
    }
    return {};
  }

  /// The outermost `if` around a token that is around neither access.
  std::optional<source_statement> branch_of_one(std::size_t number, const source_statement& written,
                                                const source_statement& read) const {
    for (const source_scope& each : outline_.around(number)) {
      const auto statement = outline_.statement_at(each, number);
      if (!statement) return {};
      const bool is_around_access = (statement->first <= written.first && written.last <= statement->last) ||
                                    (statement->first <= read.first && read.last <= statement->last);
      // All threads ask what it asks.
      const bool is_in_branch = all_[statement->first].is("if") && closing_bracket(all_, statement->first + 1) < number;
      if (!is_around_access && is_in_branch) return statement;
    }
    return {};
  }

  /// Whether others than the one thread, which is mostly the first one, may get to the access.
  bool may_be_another(const warpz_lane_group& group, const source_statement& access) const {
    const std::vector<source_scope> scopes = outline_.around(access.first);
    const bool is_for_all = !all_[access.first].is("if") &&
                            std::none_of(scopes.begin(), scopes.end(),
                                         [](const source_scope& each) { return each.kind == scope_kind::branch; });
    return is_for_all || group.warp != 0 || (group.lanes & 1) == 0;
  }

  /// A call behind a token, with the blanks of another one's line.
  void put_behind(std::size_t number, std::size_t like, std::string_view call) {
    const unsigned line = outline_.line_of(number);
    has_lines_ = has_lines_ && outline_.line_of(number + 1) != line;
    repair_.edits.push_back({line, false, fmt::format("{}{};", outline_.indent_of(outline_.line_of(like)), call)});
    calls_.push_back(fmt::format("{} behind line {}", call, line));
  }

  const symbolized_finding& race_;
  const source_outline& outline_;
  const std::vector<token>& all_;
  source_repair repair_;
  std::vector<std::string> calls_;  ///< that are put, in words
  bool has_lines_ = true;           ///< between other statements
};

}  // namespace

std::optional<source_repair> arrival_repair(const symbolized_finding& race, const source_outline& outline,
                                            std::string_view barrier) {
  return arrival_search(race, outline).find(barrier);
}

}  // namespace warpz
